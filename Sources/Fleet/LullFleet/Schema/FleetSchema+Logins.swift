extension FleetSchema {
    /// Logins of one host each. What acts for a host checks that the session's login may: an attacker on one host can't act
    /// for another.
    static let logins = #"""
        -- The places that logins of one host are bound to: by their first hello, or by whoever made them. A place is one
        -- login's alone. A login that is renamed has none any more.
        create table bound (
            place text collate "C" primary key,
            login text collate "C" not null
        );
        create index bound_login on bound (login);

        -- Whether the session's login is one host's own: the role says so, also through another role, and nothing else. All
        -- others may be shared by hosts. Whoever may act as the schema's owner is held back by nothing.
        create function is_own() returns boolean language sql stable as $$
            select pg_has_role(session_user, (current_schema() || '_own')::name, 'member')
                and not pg_has_role(session_user, current_user, 'member')
        $$;

        -- Ends the call unless the session may act for a place.
        create function act_for(its_place text) returns void language plpgsql stable as $$
        declare
            owner text := (select login from bound where place = its_place);
        begin
            if owner = session_user
                or (owner is null and not is_own()) then
                return;
            end if;
            raise exception 'the login % may not act for the host at the place %', session_user, its_place
                using errcode = 'insufficient_privilege';
        end
        $$;

        -- Whether a host other than the process `me` is or was at a place.
        create function is_known(its_place text, me text default null) returns boolean language plpgsql stable as $$
        begin
            return exists (select from host where place = its_place and host is distinct from me)
                or exists (select from mirror where place = its_place);
        end
        $$;

        -- Before a hello of the process `me`: a host's own login is bound to its first place, and to another one that its
        -- process has drawn. Both have to be new: otherwise an attacker could take another host's.
        create function greet(me text, its_place text) returns void language plpgsql as $$
        declare
            former text := (select place from host where host = me);
        begin
            if is_own() and not exists (select from bound where place = its_place) then
                if not exists (select from bound where login = session_user) then
                    if is_known(its_place) then
                        raise exception 'a host was at the place % before the login % came', its_place, session_user
                            using errcode = 'insufficient_privilege',
                                hint = format('If it is the same host: select own_login(%L, %L)', session_user, its_place);
                    end if;
                    insert into bound (place, login) values (its_place, session_user) on conflict do nothing;
                elsif exists (select from bound where login = session_user and place = former)
                    and not is_known(its_place, me) then
                    insert into bound (place, login) values (its_place, session_user) on conflict do nothing;
                end if;
            end if;
            if former <> its_place then
                perform act_for(former);
            end if;
            perform act_for(its_place);
        end
        $$;

        -- For the schema's owner: a login is that of one host from now on, and may call what one host needs. It is bound to
        -- `host`, a name or a place; null: to the place of its next hello, where no host was before.
        create function own_login(its_login text, its_host text default null) returns text language plpgsql
        set search_path = {schema}, pg_temp as $$
        declare
            places text[] := array(select place from named(its_host)
                union select place from mirror where place = its_host);
            fleet text := current_schema();
        begin
            if its_host is not null and cardinality(places) <> 1 then
                raise exception '% hosts of the fleet are called %', cardinality(places), its_host
                    using hint = 'lull fleet status --json has their places';
            end if;
            if pg_has_role(its_login::name, (select nspowner from pg_namespace where nspname = fleet), 'member') then
                raise exception '% may do all that the owner of % may', its_login, fleet
                    using hint = 'create a role that is no superuser, and no member of the owner';
            end if;
            if pg_has_role(its_login::name, (fleet || '_host')::name, 'member') then
                execute format('revoke %I from %I', fleet || '_host', its_login);
            end if;
            if pg_has_role(its_login::name, (fleet || '_host')::name, 'member') then
                raise exception '% still has the rights of %_host, through another role', its_login, fleet
                    using hint = 'revoke the other role from it';
            end if;
            if not pg_has_role(its_login::name, (fleet || '_own')::name, 'member') then
                execute format('grant %I to %I', fleet || '_own', its_login);
            end if;
            delete from bound where login = its_login or place = any(places);
            insert into bound select unnest(places), its_login;
            return coalesce('bound to the place ' || places[1], 'bound to the place of its next hello');
        end
        $$;
        """#
}
