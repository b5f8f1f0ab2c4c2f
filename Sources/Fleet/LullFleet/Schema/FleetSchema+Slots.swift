extension FleetSchema {
    /// The helpers that the functions of hosts share, and the function for a result.
    static let slots = #"""
        -- Without a query in it, so that it is put in place where news are told by the hundred: a call costs ten times as much.
        create function slot_status(s slot, at bigint, next bigint) returns jsonb language sql stable as $$
            select jsonb_strip_nulls(jsonb_build_object(
                'slot', jsonb_build_object('task', s.task, 'nominal', s.nominal, 'target', s.target),
                'state', s.state, 'reason', s.reason, 'host', s.last_name, 'number', s.number,
                'attempt', s.attempt,
                'ago', case when s.state = 'open' then 0 else greatest(0, at - s.changed) end,
                'left', s.lease_end - at,
                'next', case when next is not null then greatest(0, next - at) end))
        $$;
        create function slot_status(s slot, at bigint) returns jsonb language sql stable as $$
            select slot_status(s, at,
                (select c.next from course c where c.task = s.task and c.target = s.target))
        $$;

        create function loss(name text) returns text language sql immutable as $$
            select 'the lease ended on ' || coalesce(name, 'a host') || ' without a result'
        $$;
        create function late(before text, held text) returns text language sql immutable as $$
            select coalesce(before || '; since then ', '') || 'no host could start it in time' || coalesce(': ' || held, '')
        $$;
        create function instant(at bigint) returns text language sql immutable as $$
            select to_char(to_timestamp(floor(at / 1000.0)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        $$;
        create function stands_for(nominal bigint) returns text language sql immutable as $$
            select 'the run for ' || instant(nominal) || ' stands for it'
        $$;
        -- The slot whose run, a later one, stands for this one too; null: there is none.
        create function stand_in(s slot) returns bigint language sql stable as $$
            select c.ran from course c
            where c.task = s.task and c.target = s.target and c.through >= s.nominal and c.ran <> s.nominal
        $$;
        -- Whether a host may have runs: it was heard of lately, and has not said goodbye.
        create function lives(h host, at bigint) returns boolean language sql immutable as $$
            select not h.stopped and at - h.seen <= 60000
        $$;
        -- Why a place takes no slots; null: it takes them.
        create function drain(its_place text, at bigint) returns jsonb language sql stable as $$
            select jsonb_strip_nulls(jsonb_build_object('by', by, 'reason', reason,
                'ago', greatest(0, at - since), 'left', until - at))
            from drained where place = its_place and (until is null or until > at)
        $$;
        -- Hosts beat all the time. So when nobody was heard of, either the server was away or its clock was set, and that is no
        -- silence of any one host: leases, and those who lived, have the time left that they had. Whoever comes first sees to it.
        -- A process whose folder has a later one has ended: it must not seem to have lived through the silence.
        create function bridge(at bigint) returns void language plpgsql as $$
        declare
            heard bigint;
            gap bigint;
        begin
            select made into heard from round;
            if abs(at - heard) <= 20000 then
                return;
            end if;
            select made into heard from round for update;
            heard := greatest(heard, (select coalesce(max(seen), 0) from host));
            gap := at - heard;
            if heard = 0 or abs(gap) <= 20000 then
                return;
            end if;
            update slot set lease_end = lease_end + gap where state = 'leased';
            update host h set seen = least(at, seen + gap) where lives(h, heard) and not is_over(h);
            update round set made = at;
        end
        $$;

        -- What becomes of a slot whose host does not have it any more, and why.
        create function lost_state(s slot, at bigint) returns text language sql stable as $$
            select case when s.attempt >= 3 then 'failed' when stand_in(s) is not null then 'skipped'
                when s.ends <= at then 'expired' else 'open' end
        $$;
        create function lost_reason(why text, s slot, at bigint) returns text language sql stable as $$
            select case when s.attempt >= 3 then why || ', the last of 3 attempts'
                when stand_in(s) is not null then why || '; ' || stands_for(stand_in(s))
                when s.ends <= at then late(why, s.held) else why end
        $$;

        -- Whether a later process has its folder.
        create function is_over(h host) returns boolean language sql stable as $$
            select h.home <> '' and exists (select from host o where o.place = h.place and o.home = h.home
                and (o.began, o.host) > (h.began, h.host))
        $$;

        -- The process that has a lease, where it is another one than `me` of its place and may live: whose state the one of
        -- `me` is a copy of, or who has ended just now. A lease that is to be `open` has to be over where it ran, too.
        create function twin(s slot, me text, result text, at bigint) returns text language sql stable as $$
            select h.name from host h join host m on m.place = h.place
            where h.host = s.holder and m.host = me and h.host <> me
                and not (h.home = m.home and h.home <> '' and (h.began, h.host) < (m.began, m.host))
                and s.lease_end + case when result = 'open' then 15000 else 0 end > at
        $$;
        create function is_of(s slot, me text) returns boolean language sql stable as $$
            select s.holder = me or exists (select from host h join host m on m.place = h.place
                where h.host = s.holder and m.host = me)
        $$;

        create function finish_1(asked jsonb) returns jsonb language plpgsql security definer
        {settings} as $$
        declare
            at bigint := clock();
            s slot;
            me text := asked ->> 'host';
            result text := asked ->> 'state';
            accepted boolean := false;
            other text;
            -- Where nothing has run the lease counts as none.
            began boolean := coalesce((asked ->> 'began')::boolean, true);
        begin
            perform bridge(at);
            perform act_for(place) from host where host = me;
            select * into s from slot
            where task = asked #>> '{lease,slot,task}' and target = asked #>> '{lease,slot,target}'
                and nominal = (asked #>> '{lease,slot,nominal}')::bigint
            for update;
            if not found then
                return jsonb_build_object('now', at, 'accepted', false);
            end if;
            other := twin(s, me, result, at);
            if s.state = 'leased' and s.number = (asked #>> '{lease,number}')::bigint
                and (other is not null or not is_of(s, me)) then
                return jsonb_build_object('now', at, 'accepted', false, 'slotStatus', slot_status(s, at), 'twin', other);
            end if;
            if result = 'open' and began and s.attempt >= 3 then
                result := 'failed';
            end if;
            if result = 'open' and stand_in(s) is not null then
                result := 'skipped';
            end if;
            if s.number = (asked #>> '{lease,number}')::bigint and result <> 'leased' then
                -- Again, for its answer was lost: it stands as it was told.
                accepted := s.state = result;
                if s.state = 'leased' then
                    if result = 'failed' and asked ->> 'next' is not null then
                        update course set next = at + (asked ->> 'next')::bigint
                        where task = s.task and target = s.target;
                    end if;
                    update slot set state = result, holder = null, lease_end = null, changed = at,
                        attempt = attempt - case when began then 0 else 1 end,
                        reason = coalesce(asked ->> 'reason',
                            case when result not in ('open', 'done') then 'its host gave no reason' end)
                            || case when result = 'skipped' and stand_in(s) is not null
                                then '; ' || stands_for(stand_in(s)) else '' end
                    where task = s.task and target = s.target and nominal = s.nominal
                    returning * into s;
                    accepted := true;
                end if;
            end if;
            return jsonb_build_object('now', at, 'accepted', accepted, 'slotStatus', slot_status(s, at));
        end
        $$;
        """#
}
