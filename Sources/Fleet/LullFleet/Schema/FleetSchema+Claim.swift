extension FleetSchema {
    /// A claim looks twice: first without any lock, because most claims get nothing, then with the lock of the course.
    static let claim = #"""
        create function first_names(names text[]) returns jsonb language sql immutable as $$
            select coalesce(jsonb_agg(name order by name collate "C"), '[]') from (
                select distinct name from unnest(names) name where name is not null
                order by name limit 5) n
        $$;

        -- Who runs the task, where that leaves no room for another; null: there is room.
        create function crowd(asked jsonb, my host, at bigint) returns jsonb language plpgsql stable as $$
        declare
            names text[];
            spread text := asked ->> 'spread';
        begin
            select array_agg(s.last_name) into names from slot s
            where s.task = asked #>> '{slot,task}' and s.state = 'leased' and s.lease_end + 30000 > at;
            if coalesce(cardinality(names), 0) >= (asked ->> 'limit')::int then
                return first_names(names);
            end if;
            if my.labels ->> spread is not null and names is not null then
                select array_agg(s.last_name) into names from slot s join host h on h.host = s.holder
                where s.task = asked #>> '{slot,task}' and s.state = 'leased' and s.lease_end + 30000 > at
                    and h.labels ->> spread = my.labels ->> spread;
                if names is not null then
                    return first_names(names);
                end if;
            end if;
            return null;
        end
        $$;

        create function answer(at bigint, verdict text, standing jsonb, more jsonb default '{}') returns jsonb
        language sql immutable as $$
            select jsonb_strip_nulls(jsonb_build_object('now', at, 'verdict', verdict, 'slotStatus', standing))
                || more
        $$;

        create function claimed(s slot, at bigint) returns jsonb language sql immutable as $$
            select jsonb_build_object('now', at, 'verdict', 'claimed', 'attempt', s.attempt, 'lease',
                jsonb_build_object('number', s.number, 'slot', jsonb_build_object(
                    'task', s.task, 'nominal', s.nominal, 'target', s.target)))
        $$;

        create function claim_1(asked jsonb) returns jsonb language plpgsql security definer
        {settings} as $$
        declare
            at bigint := clock();
            me text := asked ->> 'host';
            my host;
            its_task text := asked #>> '{slot,task}';
            its_target text := asked #>> '{slot,target}';
            its_nominal bigint;
            every bigint := (asked ->> 'every')::bigint;
            tolerance bigint := coalesce((asked ->> 'tolerance')::bigint, 2592000000);
            c course;
            s slot;
            stands bigint;
            names jsonb;
        begin
            perform bridge(at);
            select * into my from host where host = me;
            if not found then
                return answer(at, 'unknown', null);
            end if;
            perform act_for(my.place);
            if its_target <> '' then
                perform act_for(its_target);
            end if;
            if drain(my.place, at) is not null then
                return answer(at, 'draining', null);
            end if;
            for look in 1..2 loop
                if look = 2 then
                    if c.task is null then
                        insert into course (task, target) values (its_task, its_target) on conflict do nothing;
                    end if;
                    perform from course where task = its_task and target = its_target for update skip locked;
                    if not found then
                        -- Another host is asking at this moment; what it gets is not known yet.
                        return answer(at, 'leased', jsonb_build_object('slot', jsonb_build_object(
                            'task', its_task, 'nominal', its_nominal, 'target', its_target),
                            'state', 'leased', 'attempt', 0, 'ago', 0, 'left', 0));
                    end if;
                    perform from fence where task = its_task for update;
                    if not found then
                        insert into fence (task, number) values (its_task, 0) on conflict do nothing;
                        perform from fence where task = its_task for update;
                    end if;
                end if;
                select * into c from course where task = its_task and target = its_target;

                its_nominal := (asked #>> '{slot,nominal}')::bigint;
                if every is not null then
                    its_nominal := coalesce(
                        (select nominal from slot where task = its_task and target = its_target
                            and state = 'open' order by nominal limit 1),
                        (select nominal from slot where task = its_task and target = its_target
                            and state = 'leased' order by nominal limit 1));
                    if its_nominal is null then
                        if c.next > at + 1000 then
                            select * into s from slot where task = its_task and target = its_target
                                and state not in ('open', 'leased') order by nominal desc limit 1;
                            return answer(at, 'not_due', case when found then slot_status(s, at) end,
                                jsonb_build_object('wait', c.next - at));
                        end if;
                        -- The one of that time is over, or would be at once: another takes its place.
                        its_nominal := case when c.next + tolerance > at and not exists (select from slot
                            where task = its_task and target = its_target and nominal = c.next)
                            then c.next else at end;
                    end if;
                elsif its_nominal > at + 1000 then
                    return answer(at, 'not_due', null, jsonb_build_object('wait', its_nominal - at));
                elsif its_nominal <= c.through
                    and not exists (select from slot where task = its_task and target = its_target
                        and nominal = its_nominal)
                    and exists (select from slot where task = its_task and target = its_target
                        and nominal = c.ran and state = 'open') then
                    -- What stands for it was given back: that is to be run.
                    its_nominal := c.ran;
                end if;

                if look = 1 then
                    select * into s from slot
                    where task = its_task and target = its_target and nominal = its_nominal;
                else
                    select * into s from slot
                    where task = its_task and target = its_target and nominal = its_nominal for update;
                end if;
                if not found then
                    if every is null and its_nominal <= c.through then
                        select * into s from slot
                        where task = its_task and target = its_target and nominal = c.ran;
                        return answer(at, 'ended', case when found then slot_status(s, at) end);
                    end if;
                    continue when look = 1;
                    insert into slot (task, target, nominal, definition_hash, ends)
                    values (its_task, its_target, its_nominal, asked ->> 'definitionHash', its_nominal + tolerance)
                    on conflict do nothing;
                    select * into s from slot
                    where task = its_task and target = its_target and nominal = its_nominal for update;
                end if;

                if s.state = 'leased' then
                    if s.lease_end + 30000 > at then
                        if s.holder is distinct from me or s.lease_end <= at then
                            return answer(at, 'leased', slot_status(s, at));
                        end if;
                        -- Its answer was lost on the way: the call changes nothing the second time.
                        continue when look = 1;
                        update slot set lease_end = at + lease_length((asked ->> 'lease')::bigint)
                        where task = s.task and target = s.target and nominal = s.nominal returning * into s;
                        return claimed(s, at);
                    end if;
                    continue when look = 1;
                    update slot set holder = null, lease_end = null, changed = at,
                        state = lost_state(s, at), reason = lost_reason(loss(s.last_name), s, at)
                    where task = s.task and target = s.target and nominal = s.nominal returning * into s;
                end if;
                if s.state <> 'open' then
                    return answer(at, 'ended', slot_status(s, at));
                end if;

                if s.definition_hash <> asked ->> 'definitionHash' then
                    select first_names(array_agg(h.name)) into names
                    from (select h.name from definition_hash m join host h on h.host = m.host
                        where m.task = its_task and m.definition_hash = s.definition_hash and h.host <> me
                            and lives(h, at)
                            and drain(h.place, at) is null) h;
                    -- One of a single host, or one that they let lie, is for whoever is there.
                    if names <> '[]' and its_target = '' and at < its_nominal + 600000 then
                        return answer(at, 'differs', null, jsonb_build_object('holders', names));
                    end if;
                    continue when look = 1;
                    update slot set definition_hash = asked ->> 'definitionHash'
                    where task = s.task and target = s.target and nominal = s.nominal;
                end if;

                names := crowd(asked, my, at);
                if names is not null then
                    -- Nothing is lost with it, so it need not wait for the disk.
                    perform set_config('synchronous_commit', 'off', true);
                    return answer(at, 'full', null, jsonb_build_object('holders', names));
                end if;
            end loop;

            -- A slot that was offered while the run that stands for it was claimed.
            if s.ends <= at or (every is null and stand_in(s) is not null) then
                update slot set changed = at, state = case when ends <= at then 'expired' else 'skipped' end,
                    reason = case when ends <= at then late(reason, held) else stands_for(stand_in(s)) end
                where task = s.task and target = s.target and nominal = s.nominal returning * into s;
                return answer(at, 'ended', slot_status(s, at));
            end if;

            -- A host whose clock is ahead must not take the runs of times that have yet to come.
            -- Null: it stands for its own time alone.
            stands := greatest(its_nominal, least((asked ->> 'through')::bigint, at + 1000));
            if asked ->> 'through' is null then
                stands := null;
            end if;
            update course set next = case when every is null then null
                    when s.attempt = 0 then at + every else next end,
                ran = case when stands is null or course.through >= stands then ran else its_nominal end,
                through = greatest(course.through, stands)
            where task = its_task and target = its_target;
            update fence set number = greatest(number + 1, at) where task = its_task
            returning number into s.number;
            update slot set state = 'leased', reason = null, attempt = attempt + 1, holder = me,
                last_name = my.name, number = s.number, lease_end = at + lease_length((asked ->> 'lease')::bigint),
                changed = at
            where task = s.task and target = s.target and nominal = s.nominal returning * into s;
            update slot o set state = 'skipped', changed = at,
                reason = stands_for(its_nominal)
            from (select task, target, nominal from slot
                where task = its_task and target = its_target and state = 'open'
                    and nominal <= stands
                for update skip locked) p
            where o.task = p.task and o.target = p.target and o.nominal = p.nominal;
            return claimed(s, at);
        end
        $$;
        """#
}
