extension FleetSchema {
    /// The counts of each task, for operators.
    static let tasks = #"""
        -- Its slots that wait and run, and those that came to nothing in the last `span` milliseconds: a day unless told.
        create function tasks_1(asked jsonb default '{}') returns jsonb language sql stable security definer
        set search_path = {schema}, pg_temp as $$
            select jsonb_build_object('now', clock(), 'version', (select max(version) from version),
                'tasks', coalesce(jsonb_agg(jsonb_build_object('task', task, 'open', open, 'leased', leased,
                    'failed', failed, 'expired', expired) order by task), '[]'))
            from (
                select task, count(*) filter (where state = 'open') as open,
                    count(*) filter (where state = 'leased') as leased,
                    count(*) filter (where state = 'failed') as failed,
                    count(*) filter (where state = 'expired') as expired
                from (
                    select task, state from slot where state = 'open'
                    union all select task, state from slot where state = 'leased'
                    union all select task, state from slot where state not in ('open', 'leased')
                        and changed >= clock() - coalesce((asked ->> 'span')::bigint, 86400000)) s
                group by task) t
        $$;
        """#
}
