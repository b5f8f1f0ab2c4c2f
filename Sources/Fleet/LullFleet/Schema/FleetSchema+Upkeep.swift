extension FleetSchema {
    /// The upkeep that one host does for all, at most each ten seconds; the others skip it meanwhile.
    static let upkeep = #"""
        create function sum_up(at bigint) returns void language sql set enable_seqscan = on as $$
            update round set made = at,
                -- A host that was started again is one.
                hosts = (select count(distinct place) from host h where lives(h, at)),
                best = coalesce((select jsonb_object_agg(key, best) from (
                    select e.key, max(e.value::numeric) as best
                    from host h join told t on t.host = h.host, jsonb_each(t.scores) e
                    where lives(h, at) and drain(h.place, at) is null
                    group by e.key) b), '{}')
        $$;

        -- Hosts record locally why they did not start a slot. Of a slot that no host has started 10 s before its end, when
        -- hosts give it up, it is kept what five of them reported last.
        create function note_held(at bigint) returns void language plpgsql as $$
        begin
            perform from slot where state = 'open' and ends > at + 10000 and ends <= at + 40000 and held is null limit 1;
            if not found then
                return;
            end if;
            with due as (select task, target, nominal from slot
                    where state = 'open' and ends > at + 10000 and ends <= at + 40000 and held is null
                    order by ends, nominal, task, target limit 500 for update skip locked),
                near as (select h.host, h.name, t.reports from host h join told t on t.host = h.host
                    where lives(h, at) order by h.name, h.host limit 5),
                said as (select r ->> 'task' as task, count(*) as count,
                        string_agg(n.name || ' (' || coalesce(left(r ->> 'reason', 120),
                            'no gate is closed') || ')', ', ' order by n.name, n.host) as names
                    from near n, jsonb_array_elements(n.reports) r
                    where r ->> 'task' in (select task from due)
                    group by r ->> 'task')
            update slot s set held = h.names
                || case when o.hosts > h.count then ' and ' || o.hosts - h.count || ' more' else '' end
            from due d join said h on h.task = d.task cross join round o
            where s.task = d.task and s.target = d.target and s.nominal = d.nominal;
        end
        $$;

        create function keep_up(at bigint) returns void language plpgsql as $$
        begin
            perform from round where made <= at - 10000 for update skip locked;
            if not found then
                return;
            end if;
            perform sum_up(at);
            perform judge_manifest(at);
            delete from drained where until <= at;

            update slot s set holder = null, lease_end = null, changed = at,
                state = lost_state(s, at), reason = lost_reason(loss(s.last_name), s, at)
            from (select task, target, nominal from slot
                where state = 'leased' and lease_end < at - 30000
                order by lease_end, nominal, task, target limit 500 for update skip locked) c
            where s.task = c.task and s.target = c.target and s.nominal = c.nominal;

            perform note_held(at);
            update slot s set state = 'expired', changed = at, reason = late(s.reason, s.held)
            from (select task, target, nominal from slot
                where state = 'open' and ends <= at
                order by ends, nominal, task, target limit 500 for update skip locked) c
            where s.task = c.task and s.target = c.target and s.nominal = c.nominal;

            delete from slot s
            using (select task, target, nominal from slot
                where state not in ('open', 'leased') and changed < at - 7776000000
                order by changed, nominal, task, target limit 500 for update skip locked) c
            where s.task = c.task and s.target = c.target and s.nominal = c.nominal;

            with gone as (
                delete from host h
                using (select host from host where seen < at - 604800000
                    order by seen, host limit 500 for update skip locked) c
                where h.host = c.host returning h.host),
            unsaid as (delete from told t using gone where t.host = gone.host)
            delete from definition_hash m using gone where m.host = gone.host;
        end
        $$;
        """#
}
