extension FleetSchema {
    /// The manifests that hosts follow: each is tried, taken by all or withdrawn, and each host learns which one it is to have.
    static let manifests = #"""
        -- What `lull fleet apply` brought. A watched one is tried: of less than a hundred in a hundred by its canaries alone.
        create table manifest (
            number bigint generated always as identity primary key,
            text text not null,
            hash text not null,
            author text not null,
            applied bigint not null,
            share numeric not null check (share > 0 and share <= 100),
            -- When it counts as good, unless it has been withdrawn.
            ends bigint not null,
            -- So many of a hundred runs failed in the day before.
            usual numeric not null,
            state text collate "C" not null check (state in ('watched', 'whole', 'withdrawn')),
            reason text,
            constraint "a manifest is withdrawn with a reason" check (state <> 'withdrawn' or reason is not null)
        );

        -- What each place has of them, and since when; 0: none.
        create table follower (
            place text collate "C" primary key,
            number bigint not null,
            since bigint not null,
            refused bigint,
            sentence text
        );

        create table canary (
            number bigint not null,
            place text collate "C" not null,
            primary key (number, place)
        );

        -- What one place is to have; null: nobody has ever applied one, and each keeps what it has.
        create function wanted(of_place text) returns jsonb language sql stable as $$
            select jsonb_build_object('number', n.number, 'hash', coalesce(m.hash, ''))
            from (select case when w.number is not null and (w.share = 100
                    or exists (select from canary where number = w.number and place = of_place))
                then w.number else r.manifest end as number
                from round r left join manifest w on w.number = r.watched) n
            left join manifest m on m.number = n.number
            where n.number > 0 or exists (select from manifest)
        $$;

        -- A place says which one it has. One of another database's with the same number is none.
        create function followed(of_place text, has jsonb, at bigint) returns void language plpgsql as $$
        declare
            mine bigint := coalesce((select number from manifest
                where number = (has ->> 'number')::bigint and hash = has ->> 'hash'), 0);
        begin
            if exists (select from follower where place = of_place and number = mine) then
                return;
            end if;
            insert into follower as f (place, number, since) values (of_place, mine, at)
            on conflict (place) do update set number = mine, since = at,
                refused = case when f.refused = mine then null else f.refused end,
                sentence = case when f.refused = mine then null else f.sentence end;
        end
        $$;

        -- Of the runs that began on hosts since they had it.
        create function tried(asked bigint, out runs bigint, out failed bigint) language sql stable as $$
            select count(*), count(*) filter (where e.event = 'failed')
            from follower f
            join mirror m on m.place = f.place
            join event b on b.place = m.number and b.event = 'launched' and b.run is not null
                and b.time >= mirror_at(f.since) and b.day >= (mirror_at(f.since) at time zone 'utc')::date - 1
            join event e on e.place = b.place and e.run = b.run and e.event in ('completed', 'failed')
            where f.number = asked
        $$;

        create function withdraw(asked bigint, why text) returns void language sql as $$
            update manifest set state = 'withdrawn', reason = why where number = asked;
            update round set watched = null where watched = asked;
        $$;

        -- Whether the one that is tried is good, is bad, or is still to be tried.
        create function judge_manifest(at bigint) returns void language plpgsql
        set enable_seqscan = on set enable_bitmapscan = on set enable_sort = on as $$
        declare
            m manifest;
            t record;
            silent text;
        begin
            select x.* into m from manifest x join round on x.number = round.watched;
            if not found then
                return;
            end if;
            select * into t from tried(m.number);
            if t.failed >= 3 and t.failed * 100.0 / t.runs > 2 * m.usual + 2 then
                perform withdraw(m.number, format('%s of %s runs failed on hosts that had it, where in the day before %s in a hundred did',
                    t.failed, t.runs, trim(trailing '.' from trim(trailing '0' from round(m.usual, 1)::text))));
                return;
            end if;
            if m.share < 100 then
                select h.name into silent
                from canary c join follower f on f.place = c.place and f.number = m.number
                cross join lateral (select * from host where place = c.place order by seen desc limit 1) h
                where c.number = m.number and not h.stopped and h.seen < at - 120000 limit 1;
                if found then
                    perform withdraw(m.number, format('%s, which tried it, fell silent', silent));
                    return;
                end if;
            end if;
            if at >= m.ends and exists (select from follower where number = m.number) then
                update manifest set state = 'whole' where number = m.number;
                update round set manifest = m.number, watched = null;
            end if;
        end
        $$;

        create function apply_1(asked jsonb) returns jsonb language plpgsql security definer
        set search_path = {schema}, pg_temp set lock_timeout = '4s' as $$
        declare
            at bigint := clock();
            sum round;
            newest bigint;
            followers bigint;
            share numeric := (asked ->> 'share')::numeric;
            watch bigint := (asked ->> 'watch')::bigint;
            n bigint;
        begin
            select * into sum from round for update;
            select max(number) into newest from manifest;
            if newest is distinct from (asked ->> 'after')::bigint then
                return jsonb_build_object('now', at, 'newest', newest);
            end if;
            select count(distinct f.place) into followers
            from follower f join host h on h.place = f.place and lives(h, at);
            if share < 100 and followers = 0 then
                return jsonb_build_object('now', at, 'followers', 0);
            end if;
            insert into manifest (text, hash, author, applied, share, ends, usual, state)
            select asked ->> 'text', asked ->> 'hash', asked ->> 'author', at, share, at + watch,
                count(*) filter (where event = 'failed') * 100.0 / greatest(count(*), 1),
                case when watch > 0 then 'watched' else 'whole' end
            from event where time >= mirror_at(at - 86400000) and day >= (mirror_at(at) at time zone 'utc')::date - 2
                and event in ('completed', 'failed')
            returning number into n;
            perform withdraw(sum.watched, format('number %s was applied in its place', n));
            if share < 100 then
                insert into canary
                select n, place from (select distinct f.place
                    from follower f join host h on h.place = f.place and lives(h, at)) p
                order by md5(place || n) limit greatest(1, ceil(followers * share / 100));
            end if;
            if watch > 0 then
                update round set watched = n;
            else
                update round set manifest = n;
            end if;
            delete from manifest where number <= n - 100 and number <> (select r.manifest from round r);
            delete from canary c where not exists (select from manifest m where m.number = c.number);
            return jsonb_build_object('now', at, 'number', n, 'followers', followers);
        end
        $$;

        -- The one that is tried is withdrawn, or else the last that all took: then they go back to the one before it.
        create function back_1(asked jsonb) returns jsonb language plpgsql security definer
        set search_path = {schema}, pg_temp set lock_timeout = '4s' as $$
        declare
            sum round;
            gone bigint;
        begin
            select * into sum from round for update;
            gone := coalesce(sum.watched, nullif(sum.manifest, 0));
            if gone is null then
                return jsonb_build_object('now', clock());
            end if;
            perform withdraw(gone, format('%s took it back', asked ->> 'author'));
            if sum.watched is null then
                update round set manifest = coalesce((select max(number) from manifest where state = 'whole'), 0);
            end if;
            return jsonb_build_object('now', clock(), 'withdrawn', gone, 'number', (select manifest from round));
        end
        $$;

        create function manifest_1(asked jsonb) returns jsonb language sql stable security definer
        set search_path = {schema}, pg_temp as $$
            select jsonb_build_object('now', clock(), 'manifest', (
                select jsonb_build_object('number', number, 'hash', hash, 'text', text) from manifest
                where number = coalesce((asked ->> 'number')::bigint, (select manifest from round))))
        $$;

        -- A host can't take what it is to have.
        create function refuse_1(asked jsonb) returns jsonb language plpgsql security definer
        set search_path = {schema}, pg_temp set lock_timeout = '4s' as $$
        declare
            n bigint := (asked ->> 'number')::bigint;
        begin
            perform act_for(asked ->> 'place');
            update follower set refused = n, sentence = asked ->> 'sentence' where place = asked ->> 'place';
            -- Only one that follows, and is to have it: no other host can know whether it is good.
            if found and (wanted(asked ->> 'place') ->> 'number')::bigint = n
                and exists (select from round where watched = n)
            then
                perform withdraw(n, format('%s can''t take it: %s', asked ->> 'name', asked ->> 'sentence'));
            end if;
            return jsonb_build_object('now', clock());
        end
        $$;

        -- How the newest one fares, and which is in force; null: nobody has applied one.
        create function rollout_1(asked jsonb default '{}') returns jsonb language sql stable security definer
        set search_path = {schema}, pg_temp as $$
            with m as (select * from manifest order by number desc limit 1),
            living as (select distinct on (f.place) f.*, h.name,
                    (wanted(f.place) ->> 'number')::bigint as wanted
                from follower f join host h on h.place = f.place and lives(h, clock())
                order by f.place, h.seen desc)
            select jsonb_build_object('now', clock(), 'rollout', (
                select jsonb_build_object('number', m.number, 'hash', m.hash, 'author', m.author,
                    'state', m.state, 'reason', m.reason, 'share', m.share, 'ago', clock() - m.applied,
                    'left', case when m.state = 'watched' then m.ends - clock() end,
                    'current', (select manifest from round),
                    'followers', (select count(*) from living),
                    'wanted', (select count(*) from living where wanted = m.number),
                    'has', (select count(*) from living where number = m.number),
                    'behind', (select count(*) from living where number <> wanted),
                    'late', (select first_names(array_agg(name)) from living where number <> wanted),
                    'canaries', (select first_names(array_agg(name)) from living
                        where m.share < 100 and wanted = m.number),
                    'runs', t.runs, 'failed', t.failed,
                    'refusals', (select coalesce(jsonb_agg(jsonb_build_object(
                        'name', name, 'number', refused, 'sentence', sentence) order by name), '[]')
                        from (select * from living where refused in (m.number, (select manifest from round))
                            order by name limit 10) r))
                from m, tried(m.number) t))
        $$;
        """#
}
