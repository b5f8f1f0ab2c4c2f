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

            update slot s set state = 'expired', changed = at, reason = late(s.reason)
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
