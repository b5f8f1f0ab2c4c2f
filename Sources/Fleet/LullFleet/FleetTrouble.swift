/// Why the fleet's database gave no answer.
public enum FleetTrouble: Error, Sendable, Equatable {
    /// libpq is not there.
    case noLibrary
    /// No connection was made, in libpq's or the server's words.
    case unreachable(place: String, words: String)
    /// It has not answered for so long.
    case silent(place: String, Duration)
    /// The connection ended; whether a call was carried out is not known.
    case broken(place: String, words: String)
    /// The server refused a statement: its SQLSTATE, and its message.
    case refused(place: String, state: String, words: String)
    /// This Lull can't read its answer.
    case unreadable(place: String, words: String)
    /// The schema in the database is that of a later Lull.
    case newer(place: String, version: Int)
    /// The connection is not wanted any more.
    case ended

    /// Why this machine can't use any fleet; nil: no reason is known.
    public static var ofThisMachine: FleetTrouble? { PostgresLink.isThere ? nil : .noLibrary }

    /// What happened, and where.
    public var message: String {
        switch self {
        case .noLibrary: "This host has no libpq.so.5, which Lull needs for the fleet's database."
        case .unreachable(let place, let words): "Can't connect to the fleet's database (\(place)): \(words)."
        case .silent(let place, let span):
            "The fleet's database (\(place)) has not answered for \(span.components.seconds) s."
        case .broken(let place, let words):
            "The connection to the fleet's database (\(place)) ended: \(words)."
        case .refused(let place, let state, let words):
            "The fleet's database (\(place)) refused a statement: \(words) (\(state))."
        case .unreadable(let place, let words):
            "The fleet's database (\(place)) gave an answer that this Lull can't read: \(words)."
        case .newer(let place, let version):
            "The fleet's schema (\(place)) is version \(version); this Lull knows \(FleetSchema.version)."
        case .ended: "The host no longer uses the fleet's database."
        }
    }

    /// What to do about it; nil: nothing, because Lull tries again by itself.
    public var fix: String? {
        switch self {
        case .noLibrary: "Install it: `apt-get install libpq5`."
        case .unreachable(let place, let words): Self.fix(unreachable: words, at: place)
        case .silent: "Check whether the server is overloaded or the network loses packets; Lull tries again."
        case .broken: nil
        case .refused(_, let state, let words): Self.fix(state, words)
        case .unreadable, .newer: "Install the version of Lull that the other hosts have."
        case .ended: nil
        }
    }

    /// libpq gives no code for a refused connection, only a text.
    private static func fix(unreachable words: String, at place: String) -> String {
        if words.contains("no encryption"), place.contains("sslmode=disable") {
            return
                "Take `sslmode=disable` out of `database`: the server may accept this host only with TLS. Or let it in without TLS, in the server's pg_hba.conf."
        }
        let fixes: [(String, String)] = [
            (
                "no password supplied",
                "Put its password into ~/.pgpass, a PGPASSFILE or libpq's service file; for the service into its systemd credential `lull-fleet`, which root's commands use too while it runs."
            ),
            (
                "password",
                "Correct its password in ~/.pgpass, PGPASSFILE, libpq's service file or the systemd credential `lull-fleet`, wherever it is."
            ),
            (
                "authentication failed",
                "Check what pg_hba.conf demands of this user, and give it to the host."
            ),
            ("pg_hba.conf", "Add this host and its user to the server's pg_hba.conf."),
            ("database \"", "Create it (`createdb`), or correct `database` in the manifest's `fleet`."),
            ("role \"", "Create it, or name another user in `database` of the manifest's `fleet`."),
            ("root certificate", "Name the authority's certificate with `sslrootcert` in `database`."),
            ("certificate", "Correct the server's certificate, or name its authority with `sslrootcert`."),
            ("SSL", "Turn TLS on at the server, or write `sslmode=disable` if you trust the network."),
            ("read-only", "Name the hosts of all its servers in `database`: one of them accepts writes."),
            ("invalid port", "Correct `port` in `database`: it is from 1 to 65535, and usually 5432."),
            (
                "option \"port\"",
                "Correct `port` in `database`: it is from 1 to 65535, and usually 5432."
            ),
            ("could not translate", "Correct the host in `database` of the manifest's `fleet`."),
        ]
        return fixes.first { words.contains($0.0) }?.1
            ?? "Make sure that the server runs and listens there; Lull tries again."
    }

    private static func fix(forbidden words: String) -> String {
        if words.contains("role") || words.contains("database") {
            return "Install it as a role that may create schemas and roles there (CREATEROLE)."
        }
        // The functions of the operator role; `lull fleet apply` reads the manifest first.
        let isOperators = ["apply_1", "back_1", "manifest_1", "drain_1", "resume_1", "forget_1"].contains {
            words.contains($0)
        }
        if isOperators {
            return
                "Connect as an operator: `grant \"lull_NAME_operator\" to USER`, and `--database` with that user."
        }
        if words.contains("may not act for") {
            return
                "Give each host its own login in `database`. After a new installation the fleet's database needs `select lull_NAME.own_login('LOGIN')` again."
        }
        let isReaders = ["events_1", "night_1", "runs_1", "output_1"].contains { words.contains($0) }
        if isReaders {
            return
                "Connect as a reader: `grant \"lull_NAME_reader\" to USER`, and `--database` with that user."
        }
        let schema = words.contains("schema ") ? words.split(separator: " ").last ?? "" : "lull_NAME"
        return "Let its user call the fleet's functions: `grant \"\(schema)_host\" to USER`."
    }

    private static func fix(_ state: String, _ words: String) -> String? {
        switch state {
        case "3F000", "42P01": "Install the fleet's schema: `lull fleet init`."
        // `FleetInstall.least`.
        case "0A000": "Upgrade the server, or name another one in `database`."
        case "42883": "Bring the fleet's schema up to date with this Lull: `lull fleet init`."
        case "42501": fix(forbidden: words)
        case "53100": "The server's disk is full: make room on it."
        case "57014", "55P03", "40P01", "40001": nil
        case "53300":
            "The server has reached its limit of connections: raise `max_connections`, or use a pooler."
        default: "The server's log may say why."
        }
    }
}
