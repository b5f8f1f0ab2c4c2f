/// The tables and functions of the fleet's history in the database: what all hosts recorded, printed and saw used.
///
/// A host sends its history in the order of its own numbers. Its cursor is a row that changes in the same transaction, so
/// that no event is there twice and none is passed over; a host that has lost its own cursor asks with no events. Events
/// and outputs lie in a partition for each day, which is made ahead and dropped when it is old.
public enum FleetMirrorSchema {
    /// A step of the schema, with `{schema}` for its name; the roles are granted what is theirs beside it.
    static let text = (tables + helpers + writing + reading).map { $0 + ";\n" }.joined(separator: "\n")

    /// The names, without their version, of the functions that each role may call.
    static let hostFunctions = ["mirror", "uses"]
    static let readerFunctions = ["events", "night", "runs", "reports", "mirrors", "output"]

    private static let tables = [
        // `through`: the last number that is stored for this place. `missing`: how many numbers were not sent, as the host had
        // deleted them. `gap_after`, `gap_before`, `gap_at`: the last such gap.
        #"""
        create table {schema}.mirror (
          place      text primary key,
          number     int generated always as identity unique,
          name       text not null,
          through    bigint not null default 0,
          missing    bigint not null default 0,
          gap_after  bigint,
          gap_before bigint,
          gap_at     timestamptz,
          heard      timestamptz not null default now()
        ) with (fillfactor = 50)
        """#,
        // `day`: the partition of the row. It is the day of the row's time, clamped to the days that are kept and the next two: a
        // wrong clock makes no partitions.
        #"""
        create table {schema}.event (
          place    int not null,
          sequence bigint not null,
          day      date not null,
          time     timestamptz not null,
          event    text not null,
          app      text not null,
          task     text,
          run      bigint,
          line     jsonb not null,
          primary key (place, sequence, day)
        ) partition by range (day)
        """#,
        "create table {schema}.event_rest partition of {schema}.event default",
        "create index event_time on {schema}.event (time, place)",
        "create index event_task on {schema}.event (task, time) where task is not null",
        "create index event_run on {schema}.event (place, run) where run is not null",
        #"""
        create table {schema}.output (
          place    int not null,
          run      bigint not null,
          day      date not null,
          sequence bigint not null,
          text     text not null,
          primary key (place, run, sequence, day)
        ) partition by range (day)
        """#,
        "create table {schema}.output_rest partition of {schema}.output default",
        // Two uses of an app in one millisecond are one. `number`: the order of arrival, for cursors.
        #"""
        create table {schema}.use (
          app     text not null,
          at      bigint not null,
          place   text not null,
          number  bigint generated always as identity,
          arrived timestamptz not null default now(),
          primary key (app, at)
        )
        """#,
        "create unique index use_number on {schema}.use (number)",
        "create table {schema}.mirror_upkeep (one boolean primary key check (one), done timestamptz not null)",
        "insert into {schema}.mirror_upkeep values (true, '-infinity')",
    ]

    private static let helpers = [
        "create function {schema}.mirror_ms(t timestamptz) returns bigint language sql immutable as $$ select floor(extract(epoch from t) * 1000)::bigint $$",
        "create function {schema}.mirror_at(ms bigint) returns timestamptz language sql immutable as $$ select to_timestamp(ms / 1000.0) $$",
        // A time outside the years 1900 to 2199 becomes the time of arrival.
        """
        create function {schema}.mirror_time(t text) returns timestamptz language sql stable as
        $$ select case when t ~ '^(19|20|21)[0-9]{2}-' then t::timestamptz else now() end $$
        """,
        """
        create function {schema}.mirror_day(t timestamptz, today date) returns date language sql immutable as
        $$ select greatest(least((t at time zone 'utc')::date, today + 2), today - 90) $$
        """,
        """
        create function {schema}.mirror_run(v jsonb) returns bigint language sql immutable as
        $$ select case when jsonb_typeof(v) = 'number' and v::numeric between 0 and 9223372036854775807
           then v::numeric::bigint end $$
        """,
    ]

    /// A function that runs as the schema's owner.
    static func function(
        _ head: String, returns: String = "jsonb", more: String = "", _ body: String
    ) -> String {
        """
        create function {schema}.\(head) returns \(returns) language plpgsql security definer
        set search_path = {schema}, pg_temp set jit = off \(more) as $body$
        \(body)
        $body$
        """
    }

    private static let writing = [
        function(
            "mirror_days(p date[])", returns: "void", more: "set lock_timeout = '300ms'",
            #"""
            -- Makes the partitions of these days. The caller has locked the row of the upkeep. What came for such a day
            -- before it had a partition moves into it. Who reads for long is not waited for: until the next try the rows
            -- go to the rest.
            declare
              d date; t text; part text;
            begin
              foreach d in array p loop
                foreach t in array array['event', 'output'] loop
                  part := t || '_' || to_char(d, 'YYYYMMDD');
                  continue when to_regclass(format('%I.%I', current_schema(), part)) is not null;
                  begin
                    execute format('lock table %I in access exclusive mode', t || '_rest');
                    execute format('create table %I (like %I including defaults including constraints)', part, t);
                    execute format('with moved as (delete from %I where day = %L returning *)
                                    insert into %I select * from moved', t || '_rest', d, part);
                    execute format('alter table %I attach partition %I for values from (%L) to (%L)',
                                   t, part, d, d + 1);
                  exception when lock_not_available or deadlock_detected then null;
                  end;
                end loop;
              end loop;
            end
            """#),
        function(
            "mirror_keep()", returns: "void", more: "set lock_timeout = '300ms'",
            #"""
            -- At most each 10 min, by one host: the partitions of the days to come are made, and what is older than 90 d is
            -- dropped.
            declare
              today date := (now() at time zone 'utc')::date;
              part text;
            begin
              perform from mirror_upkeep where done < now() - interval '10 min' for update skip locked;
              if not found then return; end if;
              update mirror_upkeep set done = now();
              perform mirror_days(array[today, today + 1, today + 2]);
              for part in select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
                where i.inhparent in ('event'::regclass, 'output'::regclass)
                and c.relname ~ '^(event|output)_[0-9]{8}$' and right(c.relname, 8) < to_char(today - 90, 'YYYYMMDD')
              loop
                begin
                  execute format('drop table %I', part);
                exception when lock_not_available or deadlock_detected then null;
                end;
              end loop;
              delete from event_rest where day < today - 90;
              delete from output_rest where day < today - 90;
              delete from mirror where heard < now() - interval '120 d';
              delete from use where ctid = any(array(
                select ctid from use where arrived < now() - interval '90 d' limit 5000));
            end
            """#),
        function(
            "mirror_1(p jsonb)",
            #"""
            declare
              m mirror;
              today date := (now() at time zone 'utc')::date;
              oldest timestamptz := now() - interval '90 d';
              last bigint; lost bigint; gap bigint[]; days date[];
            begin
              perform act_for(p->>'place');
              select * into m from mirror where place = p->>'place' for update;
              if not found then
                insert into mirror (place, name) values (p->>'place', coalesce(p->>'name', '')) on conflict do nothing;
                select * into m from mirror where place = p->>'place' for update;
              end if;
              perform mirror_keep();
              -- It lacks what the host was told that it has: a failover has lost it, and what follows would leave a gap.
              if (p->>'after')::bigint > m.through then
                return jsonb_build_object('now', mirror_ms(now()), 'through', m.through, 'missing', m.missing,
                  'oldest', mirror_ms(oldest));
              end if;

              -- `withheld`: how many events between two stay on the host; they are no gap. What follows the last event counts
              -- as one after `through`. Of a host's first events nobody knows what was before them.
              with e as (
                select distinct (e->>'seq')::bigint as seq, mirror_time(e->'line'->>'time') as time,
                  coalesce((e->>'withheld')::bigint, 0) as withheld
                from jsonb_array_elements(p->'events') e where (e->>'seq')::bigint > m.through),
              marks as (
                select seq, withheld from e
                union all select (p->>'through')::bigint + 1, coalesce((p->>'withheld')::bigint, 0)
                where (p->>'through')::bigint > coalesce((select max(seq) from e), m.through)),
              g as (
                select seq, coalesce(lag(seq) over w, m.through) as before, seq - 1 - coalesce(lag(seq) over w, m.through)
                  - withheld - case when row_number() over w = 1 then coalesce((p->>'before')::bigint, 0) else 0 end as lost
                from marks window w as (order by seq))
              select (select greatest(max(seq), (p->>'through')::bigint) from e), sum(g.lost),
                (array_agg(array[g.before, g.seq] order by g.seq desc))[1:1],
                (select array_agg(distinct mirror_day(time, today)) from e where time >= oldest)
              into last, lost, gap, days from g where g.before > 0 and g.lost > 0;

              if last > m.through then
                select array_agg(d) into days from unnest(days) d
                where to_regclass(format('%I.%I', current_schema(), 'event_' || to_char(d, 'YYYYMMDD'))) is null;
                if days is not null then
                  perform from mirror_upkeep for update skip locked;
                  if found then perform mirror_days(days); end if;
                end if;
                -- A partition that another host makes at this moment takes the row from the rest: then it goes there.
                for try in 1..3 loop
                  begin
                    insert into event (place, sequence, day, time, event, app, task, run, line)
                    select m.number, seq, mirror_day(time, today), time, coalesce(line->>'event', ''),
                      coalesce(line->>'app', ''), line->>'task', mirror_run(line->'run'), line
                    from (select (e->>'seq')::bigint as seq, e->'line' as line, mirror_time(e->'line'->>'time') as time
                          from jsonb_array_elements(p->'events') e) x
                    where seq > m.through and time >= oldest
                    on conflict do nothing;
                    exit;
                  exception when check_violation then
                    if try = 3 then raise; end if;
                  end;
                end loop;
                update mirror set through = last, name = coalesce(p->>'name', name), heard = now(),
                  missing = missing + coalesce(lost, 0),
                  gap_after = coalesce(gap[1][1], gap_after), gap_before = coalesce(gap[1][2], gap_before),
                  gap_at = case when gap is null then gap_at else now() end
                where place = m.place returning * into m;
              end if;

              if p->'outputs' <> '[]' then
                for try in 1..3 loop
                  begin
                    insert into output (place, run, day, sequence, text)
                    select m.number, (o->>'run')::bigint, today, (o->>'sequence')::bigint, left(o->>'text', 66000)
                    from jsonb_array_elements(coalesce(p->'outputs', '[]')) o
                    on conflict do nothing;
                    exit;
                  exception when check_violation then
                    if try = 3 then raise; end if;
                  end;
                end loop;
              end if;
              return jsonb_build_object('now', mirror_ms(now()), 'through', m.through, 'missing', m.missing,
                'oldest', mirror_ms(oldest));
            end
            """#),
        function(
            "uses_1(p jsonb)",
            #"""
            declare
              since bigint := coalesce((p->>'since')::bigint, 0);
              apps text[] := array(select jsonb_array_elements_text(p->'apps'));
              settled timestamptz := now() - interval '10 s';
              page jsonb; onward bigint; n int;
            begin
              perform act_for(p->>'place');
              -- A database that was restored has given fewer numbers than the host has seen.
              if since > (select coalesce(max(number), 0) from use) then since := 0; end if;
              insert into use (app, at, place)
              select distinct on (u->>'app', (u->>'at')::bigint) u->>'app', (u->>'at')::bigint, p->>'place'
              from jsonb_array_elements(coalesce(p->'uses', '[]')) u
              where (u->>'at')::bigint between mirror_ms(now() - interval '90 d') and mirror_ms(now() + interval '1 d')
              order by u->>'app', (u->>'at')::bigint
              on conflict do nothing;

              -- A number is given before its transaction commits: what has come just now is told again next time.
              select count(*), max(number) filter (where arrived < settled),
                coalesce(jsonb_agg(jsonb_build_object('app', app, 'at', at) order by number), '[]')
              into n, onward, page
              from (select * from use where number > since and app = any(apps) and place <> p->>'place'
                    and at >= coalesce((p->>'oldest')::bigint, 0)
                    order by number limit 500) x;
              -- Nothing more of others: what this place told is passed over, too.
              if n < 500 then
                onward := (select number from use where arrived < settled order by number desc limit 1);
              end if;
              return jsonb_build_object('now', mirror_ms(now()), 'uses', page, 'cursor', greatest(since, onward),
                'more', n = 500 and coalesce(onward > since, false));
            end
            """#),
    ]
}
