extension FleetSchema {
    /// Logins of one host each. What acts for a host checks that the session's login may: an attacker on one host can't act
    /// for another.
    static let logins = #"""
        -- Logins that are one host's own. Every other login may be shared by hosts.
        create table login (login text collate "C" primary key);

        -- The places that they are bound to: by their first hello, or by whoever made them. A place is one login's alone.
        create table bound (
            place text collate "C" primary key,
            login text collate "C" not null references login on delete cascade
        );
        create index bound_login on bound (login);

        -- Ends the call unless the session may act for a place.
        create function act_for(its_place text) returns void language plpgsql stable as $$
        declare
            owner text := (select login from bound where place = its_place);
        begin
            if owner = session_user
                or (owner is null and not exists (select from login where login = session_user)) then
                return;
            end if;
            raise exception 'the login % may not act for the host at the place %', session_user, its_place
                using errcode = 'insufficient_privilege';
        end
        $$;

        -- Before a hello of the process `me`: a host's own login is bound to its first place, and to another one that its
        -- process has drawn.
        create function greet(me text, its_place text) returns void language plpgsql as $$
        declare
            former text := (select place from host where host = me);
        begin
            if exists (select from login where login = session_user) and (
                not exists (select from bound where login = session_user)
                or exists (select from bound where login = session_user and place = former)) then
                insert into bound (place, login) values (its_place, session_user) on conflict do nothing;
            end if;
            if former <> its_place then
                perform act_for(former);
            end if;
            perform act_for(its_place);
        end
        $$;

        -- For the schema's owner: a login is that of one host from now on, and may call what one host needs. It is bound to
        -- `host`, a name or a place; null: to the place of its next hello.
        create function own_login(its_login text, its_host text default null) returns text language plpgsql
        set search_path = {schema}, pg_temp as $$
        declare
            places text[] := array(select distinct place from named(its_host));
            fleet text := current_schema();
        begin
            if its_host is not null and cardinality(places) <> 1 then
                raise exception '% hosts of the fleet are called %', cardinality(places), its_host
                    using hint = 'lull fleet status --json has their places';
            end if;
            execute format('revoke %I from %I', fleet || '_host', its_login);
            execute format('grant %I to %I', fleet || '_own', its_login);
            insert into login values (its_login) on conflict do nothing;
            delete from bound where login = its_login or place = any(places);
            insert into bound select unnest(places), its_login;
            return coalesce('bound to the place ' || places[1], 'bound to the place of its next hello');
        end
        $$;
        """#
}
