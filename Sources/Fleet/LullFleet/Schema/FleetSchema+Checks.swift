extension FleetSchema {
    /// What is kept of a host's words. They are read in the calls of all others, so what no Lull would send is left out.
    static let checks = #"""
        -- Whether a manifest can have a task of that name.
        create function is_task(name text) returns boolean language sql immutable as $$
            select octet_length(name) <= 255
                and name ~ '^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9][A-Za-z0-9_-]*)+([.][*])?$'
        $$;

        -- How long a lease lasts that was asked for: as `lease` of a manifest may say.
        create function lease_length(asked bigint) returns bigint language sql immutable as $$
            select least(greatest(asked, 60000), 86400000)
        $$;

        create function object_of(value jsonb) returns jsonb language sql immutable as $$
            select case when jsonb_typeof(value) = 'object' then value else '{}' end
        $$;

        create function labels_of(value jsonb) returns jsonb language sql immutable as $$
            select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(object_of(value)) e
            where jsonb_typeof(e.value) = 'string'
        $$;

        create function scores_of(value jsonb) returns jsonb language sql immutable as $$
            select coalesce(jsonb_object_agg(e.key, least(greatest(e.value::numeric, 0), 1)), '{}')
            from jsonb_each(object_of(value)) e where jsonb_typeof(e.value) = 'number'
        $$;

        create function span_of(value jsonb) returns bigint language sql immutable as $$
            select case when jsonb_typeof(value) = 'number' and value::numeric between 0 and 1e15
                then trunc(value::numeric)::bigint end
        $$;

        -- Null: it is on no task.
        create function report_of(value jsonb, at bigint) returns jsonb language sql immutable as $$
            select (value - array['reason', 'half', 'most']) || jsonb_strip_nulls(jsonb_build_object(
                'gates', (select coalesce(jsonb_agg(g.value order by g.ordinality), '[]')
                    from jsonb_array_elements(case when jsonb_typeof(value -> 'gates') = 'array'
                        then value -> 'gates' else '[]' end) with ordinality g
                    where jsonb_typeof(g.value) = 'string'),
                'reason', case when jsonb_typeof(value -> 'reason') = 'string' then value -> 'reason' end,
                'half', span_of(value -> 'half'), 'most', span_of(value -> 'most'), 'at', at))
            where jsonb_typeof(value) = 'object' and is_task(value ->> 'task')
        $$;
        """#
}
