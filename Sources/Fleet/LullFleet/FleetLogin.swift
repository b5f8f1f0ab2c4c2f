import LullELF
public import LullModel

/// The database's login of one host, as SQL for an administrator to read or to run.
public enum FleetLogin {
    /// Longer names are cut by PostgreSQL.
    public static let nameBytes = 63

    /// Makes the login, or gives it a new password; it then belongs to the host of its name. Without such a host it is bound to
    /// the place of its next hello.
    public static func adding(_ login: String, verifier: String, fleet: String) -> String {
        let name = FleetSchema.literal(login)
        let role = FleetSchema.quoted(login)
        return """
            set local search_path = \(FleetSchema.quoted(FleetSchema.name(of: fleet))), pg_temp;
            do $do$ begin
                if exists (select from pg_roles where rolname = \(name)) then
                    \(demanding(name, fleet))
                    alter role \(role) login password \(FleetSchema.literal(verifier));
                else
                    create role \(role) login password \(FleetSchema.literal(verifier));
                    perform own_login(\(name), (select min(place) from named(\(name)) having count(distinct place) = 1));
                end if;
            end $do$;
            select coalesce('bound to the place ' || (select min(place) from bound where login = \(name)),
                'bound to the place of its next hello');
            """
    }

    /// Drops the login. Connections that it has get no answers any more.
    public static func removing(_ login: String, fleet: String) -> String {
        let name = FleetSchema.literal(login)
        return """
            set local search_path = \(FleetSchema.quoted(FleetSchema.name(of: fleet))), pg_temp;
            do $do$ begin
                \(demanding(name, fleet))
                delete from bound where login = \(name);
                revoke \(FleetSchema.quoted(FleetSchema.ownRole(of: fleet))) from \(FleetSchema.quoted(login));
                drop role \(FleetSchema.quoted(login));
            end $do$;
            """
    }

    /// A role that is no login of one host is somebody else's.
    private static func demanding(_ name: String, _ fleet: String) -> String {
        """
        if not exists (select from pg_auth_members join pg_roles its on its.oid = member
                join pg_roles own on own.oid = roleid
            where its.rolname = \(name) and not its.rolsuper
                and own.rolname = \(FleetSchema.literal(FleetSchema.ownRole(of: fleet)))) then
            raise exception 'the role % is no login of one host of this fleet', \(name) using errcode = 'undefined_object';
        end if;
        """
    }

    /// What the server keeps instead of the password (RFC 5803), so that the password is in no SQL and in no log.
    public static func verifier(of password: String, salt: [UInt8]) -> String {
        let key = Array(password.utf8)
        let rounds = 4096
        var last = HMAC.sha256(salt + [0, 0, 0, 1], key: key)
        var salted = last
        for _ in 1..<rounds {
            last = HMAC.sha256(last, key: key)
            for index in salted.indices { salted[index] ^= last[index] }
        }
        let client = HMAC.digest([HMAC.sha256(Array("Client Key".utf8), key: salted)])
        let server = HMAC.sha256(Array("Server Key".utf8), key: salted)
        let keys = "\(Base64.encode(client)):\(Base64.encode(server))"
        return "SCRAM-SHA-256$\(rounds):\(Base64.encode(salt))$\(keys)"
    }

    /// Runs one of these in a transaction; returns what the last statement selects.
    public static func run(
        _ sql: String, _ definition: FleetDefinition, credentials: String? = nil,
        timeout: Duration = .seconds(30)
    ) throws(FleetTrouble) -> String? {
        let place = definition.database
        let dial = PostgresDial(
            database: place, credentials: credentials, timeout: timeout, statementTimeout: timeout)
        let link = try dial.connect().get()
        var answer: String?
        for statements in ["begin", sql, "commit"] {
            switch link.run(statements) {
            case .value(let text): if statements == sql { answer = text }
            case .fault(let state, let words):
                throw .refused(place: place, state: state, words: words)
            }
        }
        return answer
    }
}
