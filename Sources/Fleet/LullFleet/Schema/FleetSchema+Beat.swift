extension FleetSchema {
    static let beat = #"""
        create function hello_1(asked jsonb) returns jsonb language plpgsql security definer
        {settings} as $$
        declare
            at bigint := clock();
            me text := asked ->> 'host';
        begin
            perform bridge(at);
            perform greet(me, asked ->> 'place');
            -- A host that has drawn another place is still to be drained.
            insert into drained
            select asked ->> 'place', d.by, d.reason, d.since, d.until from host h join drained d on d.place = h.place where h.host = me
            on conflict do nothing;
            insert into host as h (host, place, name, home, boot, version, manifest, labels, seen, began)
            values (me, asked ->> 'place', asked ->> 'name', coalesce(asked ->> 'home', ''), asked ->> 'boot',
                asked ->> 'version', asked ->> 'manifest', labels_of(asked -> 'labels'), at, at)
            on conflict (host) do update set place = excluded.place, name = excluded.name,
                home = excluded.home, boot = excluded.boot, version = excluded.version, manifest = excluded.manifest,
                labels = excluded.labels, seen = excluded.seen,
                stopped = false;
            -- It reports on all its tasks anew.
            update told set reports = '[]' where host = me and reports <> '[]';
            delete from definition_hash m where m.host = me
                and not exists (select from jsonb_array_elements(asked -> 'jobs') j where j ->> 'task' = m.task);
            insert into definition_hash as m (host, task, definition_hash, scope)
            select distinct on (j.value ->> 'task')
                me, j.value ->> 'task', j.value ->> 'definitionHash', j.value ->> 'scope'
            from jsonb_array_elements(asked -> 'jobs') with ordinality j
            where is_task(j.value ->> 'task') and j.value ->> 'scope' in ('any_host', 'each_host')
            order by j.value ->> 'task', j.ordinality desc
            on conflict (host, task) do update set definition_hash = excluded.definition_hash, scope = excluded.scope
            where (m.definition_hash, m.scope) is distinct from (excluded.definition_hash, excluded.scope);
            if not asked ? 'follows' then
                delete from follower where place = asked ->> 'place';
            end if;
            return jsonb_build_object('now', at, 'version', (select max(version) from version),
                'drain', drain(asked ->> 'place', at));
        end
        $$;

        create function leave_1(asked jsonb) returns jsonb language plpgsql security definer
        {settings} as $$
        declare
            at bigint := clock();
        begin
            perform bridge(at);
            perform act_for(place) from host where host = asked ->> 'host';
            update host set seen = at, stopped = true where host = asked ->> 'host';
            return jsonb_build_object('now', at);
        end
        $$;

        create function beat_1(asked jsonb) returns jsonb language plpgsql security definer
        {settings} as $$
        declare
            at bigint := clock();
            me text := asked ->> 'host';
            my host;
            sum round;
            kept jsonb := '[]';
            moments jsonb := scores_of(asked -> 'scores');
            news jsonb := '[]';
            since bigint := (asked ->> 'since')::bigint - 5000;
            last bigint;
            onward bigint := at;
            twin text;
        begin
            perform bridge(at);
            -- A beat that a crash of the server loses is followed by another well before its leases pass on.
            if jsonb_array_length(asked -> 'offers') = 0 then
                perform set_config('synchronous_commit', 'off', true);
            end if;
            update host set seen = at, stopped = false, ahead = span_of(asked -> 'clock') - at where host = me
            returning * into my;
            if not found then
                return jsonb_build_object('now', at, 'known', false, 'held', kept,
                    'best', '{}'::jsonb, 'hosts', 0, 'news', news, 'cursor', 0);
            end if;
            perform act_for(my.place);
            -- What a process sent before another took its place comes within that time.
            select min(h.name) into twin from host h
            where h.place = my.place and h.seen > my.began + 30000 and (h.began, h.host) < (my.began, me);
            if jsonb_array_length(asked -> 'leases') > 0 then
                with named as (
                    select ordinality as place, value as lease, value #>> '{slot,task}' as task,
                        value #>> '{slot,target}' as target, (value #>> '{slot,nominal}')::bigint as nominal,
                        (value ->> 'number')::bigint as number,
                        -- Each lease may have a length of its own.
                        coalesce(value ->> 'length', asked ->> 'lease')::bigint as length
                    from jsonb_array_elements(asked -> 'leases') with ordinality),
                renewed as (
                    update slot s set lease_end = at + lease_length(n.length)
                    from named n
                    where s.task = n.task and s.target = n.target and s.nominal = n.nominal
                        and s.state = 'leased' and s.holder = me and s.number = n.number and s.lease_end > at
                    returning n.place, n.lease - 'length' as lease)
                select coalesce(jsonb_agg(lease order by place), '[]') into kept from renewed;
            end if;
            if jsonb_array_length(asked -> 'offers') > 0 then
                perform act_for(target) from (select distinct value #>> '{slot,target}' as target
                    from jsonb_array_elements(asked -> 'offers')) o where target <> '';
                -- In one order for all hosts, or two that offer the same would wait for each other.
                insert into slot (task, target, nominal, definition_hash, ends)
                select o.task, o.target, o.nominal, o.definition_hash, o.nominal + o.tolerance
                from (select value #>> '{slot,task}' as task, value #>> '{slot,target}' as target,
                        (value #>> '{slot,nominal}')::bigint as nominal, value ->> 'definitionHash' as definition_hash,
                        coalesce((value ->> 'tolerance')::bigint, 2592000000) as tolerance
                    from jsonb_array_elements(asked -> 'offers')) o
                where not exists (select from course c
                    where c.task = o.task and c.target = o.target and c.through >= o.nominal)
                order by o.task collate "C", o.target collate "C", o.nominal
                on conflict do nothing;
            end if;
            -- Of a task that the host says nothing of holds what it said last, and when that was.
            if jsonb_array_length(asked -> 'reports') > 0
                or not exists (select from told where host = me and scores = moments)
            then
                insert into told as t (host, scores, reports)
                select me, moments, coalesce(jsonb_agg(r), '[]')
                from (select report_of(value, at) as r from jsonb_array_elements(asked -> 'reports')) x
                where r is not null
                on conflict (host) do update set scores = excluded.scores,
                    reports = excluded.reports || (select coalesce(jsonb_agg(o), '[]')
                        from jsonb_array_elements(t.reports) o
                        where not exists (select from jsonb_array_elements(asked -> 'reports') n
                            where n ->> 'task' = o ->> 'task'));
            end if;
            perform from round where made <= at - 10000;
            if found then
                perform keep_up(at);
            end if;
            select * into sum from round;
            if since is not null then
                -- The last that there is room for; all of its instant are told, or they would be told for ever.
                select changed into last from slot where target = '' and changed > 0 and changed >= since
                order by changed offset 499 limit 1;
                select coalesce(jsonb_agg(slot_status(s, at, c.next) order by s.changed, s.nominal, s.task), '[]')
                into news from slot s left join course c on c.task = s.task and c.target = s.target
                where s.target = '' and s.changed > 0 and s.changed >= since
                    and s.changed <= coalesce(last, 9223372036854775807);
                if exists (select from slot where target = '' and changed > 0 and changed > last) then
                    onward := least(at, last + 5001);
                end if;
            end if;
            if asked ? 'follows' then
                perform followed(my.place, asked -> 'follows', at);
            end if;
            return jsonb_build_object('now', at, 'known', true,
                'drain', drain(my.place, at),
                'held', kept, 'best', sum.best, 'hosts', sum.hosts, 'news', news, 'cursor', onward,
                'manifest', case when asked ? 'follows' then wanted(my.place) end,
                'twin', twin);
        end
        $$;
        """#
}
