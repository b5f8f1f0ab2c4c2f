extension FleetMirrorSchema {
    /// The functions that operators read with: each takes a question as JSON, and answers for all hosts at once.
    static let reading = [
        function(
            "mirror_places(host text)", returns: "int[]",
            #"""
            begin
              return array(select number from mirror where place = host or name = host);
            end
            """#),
        function(
            "events_1(p jsonb)",
            #"""
            -- Of each host or of one, by time; as text, for only so do a narrow question's indices count.
            declare
              most int := least(coalesce((p->>'limit')::int, 1000), 20000);
              back text := case when (p->>'newest')::boolean then 'desc' else 'asc' end;
              asked text := 'true';
              found jsonb; n int;
            begin
              if p ? 'since' then
                asked := asked || format(' and time >= %L and day >= %L', mirror_at((p->>'since')::bigint),
                  (mirror_at((p->>'since')::bigint) at time zone 'utc')::date - 1);
              end if;
              if p ? 'until' then asked := asked || format(' and time < %L', mirror_at((p->>'until')::bigint)); end if;
              if p ? 'task' then asked := asked || format(' and task = %L', p->>'task'); end if;
              if p ? 'app' then asked := asked || format(' and app = %L', p->>'app'); end if;
              if p ? 'run' then asked := asked || format(' and run = %L', (p->>'run')::bigint); end if;
              if p ? 'hosts' then
                asked := asked || format(' and place = any(%L)',
                  array(select unnest(mirror_places(h)) from jsonb_array_elements_text(p->'hosts') h));
              end if;
              if p ? 'names' then
                asked := asked || format(' and event = any(%L)', array(select jsonb_array_elements_text(p->'names')));
              end if;
              execute format('
                select count(*), coalesce(jsonb_agg(jsonb_build_object(''host'', m.name, ''place'', m.place,
                  ''seq'', x.sequence, ''line'', x.line::text) order by x.time %2$s, x.place, x.sequence %2$s), ''[]'')
                from (select * from event where %1$s order by time %2$s, place, sequence %2$s limit %3$s) x
                join mirror m on m.number = x.place', asked, back, most)
              into n, found;
              return jsonb_build_object('now', mirror_ms(now()), 'events', found, 'cut', n = most);
            end
            """#),
        function(
            "night_1(p jsonb)",
            #"""
            -- How many runs began, how they ended, and how many requests were given up: by host, by task, or by both.
            declare
              since timestamptz := mirror_at((p->>'since')::bigint);
              until timestamptz := mirror_at((p->>'until')::bigint);
              parted text := coalesce(p->>'by', 'host');
              chosen int[] := array(
                select unnest(mirror_places(h)) from jsonb_array_elements_text(coalesce(p->'hosts', '[]')) h);
            begin
              return jsonb_build_object('now', mirror_ms(now()), 'counts', (
                select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('host', m.name, 'place', m.place,
                  'task', x.task, 'event', x.event, 'outcome', x.outcome, 'gates', x.gates, 'count', x.n))), '[]')
                from (select case when parted <> 'task' then place end as place,
                        case when parted <> 'host' then task end as task,
                        event, line->>'outcome' as outcome, line->'gates' as gates, count(*) as n
                      from event where time >= since and time < until
                      and day >= (since at time zone 'utc')::date - 1
                      and event in ('launched', 'completed', 'failed', 'interrupted', 'given_up')
                      and (not p ? 'hosts' or place = any(chosen))
                      group by 1, 2, 3, 4, 5) x
                left join mirror m on m.number = x.place),
                'hosts', (select count(*) from mirror));
            end
            """#),
        function(
            "runs_1(p jsonb)",
            #"""
            -- Of each host the last event of a task's runs.
            declare
              since timestamptz := mirror_at((p->>'since')::bigint);
            begin
              return jsonb_build_object('now', mirror_ms(now()), 'runs', (
                select coalesce(jsonb_agg(jsonb_build_object('host', m.name, 'place', m.place, 'seq', x.sequence,
                  'line', x.line::text) order by x.time desc), '[]')
                from (select distinct on (place) * from event
                      where task = p->>'task' and time >= since and day >= (since at time zone 'utc')::date - 1
                      and event in ('launched', 'completed', 'failed', 'interrupted')
                      order by place, time desc, sequence desc) x
                join mirror m on m.number = x.place));
            end
            """#),
        function(
            "reports_1(p jsonb)",
            #"""
            -- When each host that lives will likely run its tasks.
            begin
              return jsonb_build_object('now', clock(), 'reports', (
                select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('task', r->'task', 'name', h.name,
                  'host', h.host, 'ago', clock() - (r->>'at')::bigint, 'gates', r->'gates', 'half', r->'half', 'most', r->'most'))), '[]')
                from host h join told t on t.host = h.host, jsonb_array_elements(t.reports) r
                where lives(h, clock())));
            end
            """#),
        function(
            "mirrors_1(p jsonb)",
            #"""
            -- How far the history of each host has come.
            begin
              return jsonb_build_object('now', mirror_ms(now()), 'mirrors', (
                select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('host', name, 'place', place,
                  'through', through, 'missing', missing, 'gap_after', gap_after, 'gap_before', gap_before,
                  'ago', mirror_ms(now()) - mirror_ms(heard))) order by name, place), '[]') from mirror));
            end
            """#),
        function(
            "output_1(p jsonb)",
            #"""
            -- What a run of a host printed last; null: nothing is kept of it.
            begin
              return jsonb_build_object('now', mirror_ms(now()), 'text', (
                select text from output where place = any(mirror_places(p->>'host')) and run = (p->>'run')::bigint
                order by sequence desc limit 1));
            end
            """#),
    ]
}
