extension FleetSchema {
    static let operators = #"""
        -- Hosts by their name, their place or the random number of their process.
        create function named(text) returns setof host language sql stable as $$
            select * from host where host = $1 or place = $1 or name = $1
        $$;

        -- `by` and `reason`: who asks for it, and why. Until `until`, or for `span` milliseconds, or until somebody resumes it.
        create function drain_1(asked jsonb) returns jsonb language plpgsql security definer
        {settings} as $$
        declare
            at bigint := clock();
            places jsonb;
        begin
            select coalesce(jsonb_agg(distinct place), '[]') into places from named(asked ->> 'host');
            insert into drained
            select jsonb_array_elements_text(places), asked ->> 'by', asked ->> 'reason', at,
                coalesce((asked ->> 'until')::bigint, at + (asked ->> 'span')::bigint)
            on conflict (place) do update set by = excluded.by, reason = excluded.reason, since = excluded.since,
                until = excluded.until;
            return jsonb_build_object('now', at, 'places', places);
        end
        $$;

        create function resume_1(asked jsonb) returns jsonb language plpgsql security definer
        {settings} as $$
        declare
            places jsonb;
        begin
            with gone as (
                delete from drained where place = asked ->> 'host'
                    or place in (select place from named(asked ->> 'host')) returning place)
            select coalesce(jsonb_agg(place), '[]') into places from gone;
            return jsonb_build_object('now', clock(), 'places', places);
        end
        $$;

        -- For whoever restores all this to an earlier time. What was leased then may have run since, and others have
        -- seen larger numbers: the next claim draws one of now.
        create function restored() returns void language sql
        {settings} as $$
            update slot set state = 'open', holder = null, lease_end = null, changed = clock() where state = 'leased'
        $$;

        -- One that lives is left alone.
        create function forget_1(asked jsonb) returns jsonb language plpgsql security definer
        {settings} as $$
        declare
            at bigint := clock();
            h host;
            living jsonb := '[]';
            forgotten int := 0;
            freed int := 0;
            more int;
        begin
            for h in select * from named(asked ->> 'host') order by host for update loop
                if lives(h, at) then
                    living := living || to_jsonb(h.host);
                    continue;
                end if;
                update slot s set holder = null, lease_end = null, changed = at,
                    state = lost_state(s, at),
                    reason = lost_reason('its host ' || h.name || ' was forgotten', s, at)
                where s.state = 'leased' and s.holder = h.host;
                get diagnostics more = row_count;
                freed := freed + more;
                forgotten := forgotten + 1;
                delete from told where host = h.host;
                delete from definition_hash where host = h.host;
                delete from host where host = h.host;
                delete from drained where place = h.place
                    and not exists (select from host where place = h.place);
            end loop;
            return jsonb_build_object('now', at, 'forgotten', forgotten, 'freed', freed, 'living', living);
        end
        $$;
        """#

    /// The functions that operators read with. Each takes and gives JSON, as the functions of hosts do.
    static let readers = #"""
        -- A process that is over is no host any more once another of its place has been heard of since.
        create function hosts_1(asked jsonb default '{}') returns jsonb language sql stable security definer
        set search_path = {schema}, pg_temp as $$
            select jsonb_build_object('now', clock(), 'hosts', coalesce(jsonb_agg(jsonb_build_object(
                'host', h.host, 'place', h.place, 'name', h.name, 'boot', h.boot, 'version', h.version,
                'manifest', h.manifest, 'labels', h.labels, 'ago', clock() - h.seen,
                'lives', lives(h, clock()), 'stopped', h.stopped, 'ahead', h.ahead,
                'drain', drain(h.place, clock()), 'draining', drain(h.place, clock()) is not null,
                'leases', coalesce(l.count, 0)) order by h.name, h.host), '[]'))
            from host h left join (select holder, count(*) from slot where state = 'leased' group by holder) l
                    on l.holder = h.host
            where not is_over(h) and (lives(h, clock())
                or not exists (select from host o where o.place = h.place and o.seen > h.seen))
        $$;

        -- The newest first: of a `task`, a `target` or a `state`, `most` of them. `ended`: only those that have; `span`: only
        -- what changed within so many milliseconds; `due`: only those whose time has come, and the oldest first unless `newest`.
        -- As text, for only so do the indices of a state or a task count among the slots of 90 days.
        create function slots_1(asked jsonb) returns jsonb language plpgsql stable security definer
        set search_path = {schema}, pg_temp as $$
        declare
            wanted text := 'true';
            ordered text := 'nominal desc, task, target';
            part text;
            found jsonb;
        begin
            foreach part in array array['task', 'target', 'state'] loop
                if asked ->> part is not null then
                    wanted := wanted || format(' and %I = %L', part, asked ->> part);
                end if;
            end loop;
            if asked ->> 'span' is not null then
                wanted := wanted || format(' and changed >= %s', clock() - (asked ->> 'span')::bigint);
            end if;
            if (asked ->> 'ended')::boolean then
                wanted := wanted || ' and state not in (''open'', ''leased'')';
            end if;
            if (asked ->> 'due')::boolean then
                wanted := wanted || format(' and nominal <= %s', clock());
                if not coalesce((asked ->> 'newest')::boolean, false) then
                    ordered := 'nominal, task, target';
                end if;
            end if;
            execute format('select jsonb_agg(slot_status(s, clock()) order by %2$s)
                from (select * from slot where %1$s order by %2$s limit %3$s) s',
                wanted, ordered, coalesce((asked ->> 'most')::int, 100)) into found;
            return jsonb_build_object('now', clock(), 'slots', coalesce(found, '[]'));
        end
        $$;

        -- Which host has which definition of a task.
        create function jobs_1(asked jsonb default '{}') returns jsonb language sql stable security definer
        set search_path = {schema}, pg_temp as $$
            select jsonb_build_object('now', clock(), 'jobs', coalesce(jsonb_agg(jsonb_build_object(
                'task', task, 'definitionHash', definition_hash, 'scope', scope, 'count', count, 'hosts', names)
                order by task, count desc, definition_hash), '[]'))
            from (select m.task, m.definition_hash, m.scope, count(*) as count, first_names(array_agg(h.name)) as names
                from definition_hash m join host h on h.host = m.host
                where lives(h, clock()) and (asked ->> 'task' is null or m.task = asked ->> 'task')
                group by m.task, m.definition_hash, m.scope) j
        $$;

        -- What waits, what runs, and what has ended in the last `span` milliseconds: a day unless told.
        create function counts_1(asked jsonb default '{}') returns jsonb language sql stable security definer
        set search_path = {schema}, pg_temp as $$
            select jsonb_build_object('now', clock(),
                'hosts', (select count(*) from host),
                'living', (select count(*) from host h where lives(h, clock()) and not is_over(h)),
                'draining', (select count(*) from host where drain(place, clock()) is not null),
                'open', (select count(*) from slot where state = 'open'),
                'leased', (select count(*) from slot where state = 'leased'),
                'ended', coalesce((select jsonb_object_agg(state, count) from (
                    select state, count(*) as count from slot where state not in ('open', 'leased')
                        and changed >= clock() - coalesce((asked ->> 'span')::bigint, 86400000)
                    group by state) e), '{}'))
        $$;

        -- What holds a task back on each host that lives, the nearest to running it first, `most` of them.
        create function why_1(asked jsonb) returns jsonb language sql stable security definer
        set search_path = {schema}, pg_temp as $$
            select jsonb_build_object('now', clock(),
                'hosts', coalesce((select jsonb_agg(report order by half nulls last, name) from (
                    select h.name, (r ->> 'half')::bigint as half,
                        (r - 'at') || jsonb_build_object('host', h.host, 'name', h.name,
                            'ago', clock() - (r ->> 'at')::bigint) as report
                    from host h join told t on t.host = h.host, jsonb_array_elements(t.reports) r
                    where lives(h, clock()) and r ->> 'task' = asked ->> 'task'
                    order by half nulls last, h.name limit coalesce((asked ->> 'most')::int, 10)) x), '[]'),
                'slots', coalesce((select jsonb_agg(slot_status(s, clock()) order by s.nominal) from slot s
                    where s.task = asked ->> 'task' and s.state in ('open', 'leased')), '[]'))
        $$;
        """#
}
