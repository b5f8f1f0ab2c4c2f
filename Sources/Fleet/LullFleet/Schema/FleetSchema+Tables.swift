extension FleetSchema {
    /// Times are milliseconds since 1970 by the database's clock, as in all of Lull's messages: no precision is lost.
    static let tables = #"""
        create table version (version int primary key, installed timestamptz not null default now());

        -- The one clock of the fleet. `now()` is the instant at which a call began.
        create function clock() returns bigint language sql stable as
        'select floor(extract(epoch from now()) * 1000)::bigint';

        -- One row for each start of a process. Its beats change no indexed column, and find room on the row's own page.
        create table host (
            host text collate "C" primary key,
            place text collate "C" not null,
            name text collate "C" not null,
            -- Which folder of which boot its state is: an earlier process with the same is over. Empty: not known.
            home text not null,
            boot text not null,
            version text not null,
            manifest text not null,
            labels jsonb not null,
            seen bigint not null,
            -- Whether it said goodbye then.
            stopped boolean not null default false,
            -- When it was first heard of.
            began bigint not null,
            -- How far its clock is ahead of this one; null: it has not said.
            ahead bigint
        ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
        create index host_place on host (place);
        create index host_name on host (name);

        -- What a host says in its beats, apart from them: it changes less often.
        create table told (
            host text collate "C" primary key,
            scores jsonb not null,
            reports jsonb not null
        ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

        create table definition_hash (
            host text collate "C" not null,
            task text collate "C" not null,
            definition_hash text collate "C" not null,
            scope text not null,
            primary key (host, task)
        );
        create index definition_hash_task on definition_hash (task, definition_hash);

        -- Hosts that take no slots. One whose `until` is past is drained no more; null: somebody has to end it.
        create table drained (
            place text collate "C" primary key,
            by text,
            reason text,
            since bigint not null,
            until bigint
        );

        -- The last number given, by task. Its row is the lock of all that is decided about a task as a whole.
        create table fence (
            task text collate "C" primary key,
            number bigint not null
        ) with (fillfactor = 50);

        -- The slots of one task for one target. Its row is the lock of a claim: who finds it taken does not wait.
        create table course (
            task text collate "C" not null,
            target text collate "C" not null,
            through bigint,
            ran bigint,
            next bigint,
            primary key (task, target),
            constraint "the next run is in the years 1970 to 2999" check (next between 0 and 32503680000000)
        ) with (fillfactor = 50);

        create table slot (
            task text collate "C" not null,
            target text collate "C" not null,
            nominal bigint not null,
            definition_hash text collate "C" not null,
            ends bigint not null,
            state text collate "C" not null default 'open'
                check (state in ('open', 'leased', 'done', 'failed', 'skipped', 'expired')),
            reason text,
            holder text collate "C",
            lease_end bigint,
            last_name text collate "C",
            number bigint,
            attempt int not null default 0,
            -- When it was leased, returned or ended; 0: it was offered, and nothing has happened since.
            changed bigint not null default 0,
            -- What kept some hosts from starting it, shortly before it expires.
            held text,
            primary key (task, target, nominal),
            -- As in `is_task`, and in the years 1970 to 2999: other hosts could read no other slot.
            constraint "a slot has a task and a time that a manifest can have" check (octet_length(task) <= 255
                and task ~ '^[A-Za-z0-9][A-Za-z0-9_-]*([.][A-Za-z0-9][A-Za-z0-9_-]*)+([.][*])?$'
                and nominal between 0 and 32503680000000),
            constraint "a slot ends with a reason"
                check (state in ('open', 'leased', 'done') or reason is not null),
            constraint "a leased slot has a holder and an end, no other has"
                check ((state = 'leased') = (holder is not null and lease_end is not null)
                    and (holder is null) = (lease_end is null))
        ) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
        create index slot_open on slot (task, target, nominal) where state = 'open';
        create index slot_ends on slot (ends) where state = 'open';
        -- The end of a lease is in no index, so that renewing it stays cheap: few slots are leased at once.
        create index slot_leased on slot (task, target, nominal) where state = 'leased';
        create index slot_ended on slot (changed) where state not in ('open', 'leased');
        create index slot_news on slot (changed) where target = '' and changed > 0;

        -- What one host makes for all, now and then.
        create table round (
            one boolean primary key default true check (one),
            made bigint not null default 0,
            hosts int not null default 0,
            best jsonb not null default '{}',
            -- The manifest that all hosts have which follow, and the one that is tried; 0 and null: none.
            manifest bigint not null default 0,
            watched bigint
        ) with (fillfactor = 20);
        insert into round default values;
        """#
}
