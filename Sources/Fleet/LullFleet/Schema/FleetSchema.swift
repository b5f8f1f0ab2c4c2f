/// The schema of a fleet, as the steps that lead to it from an empty database.
///
/// A step that has been released never changes. A function's name ends in its version. A step that changes the meaning of a
/// function adds another version beside it, so that hosts of both versions go on in one fleet.
///
/// It needs PostgreSQL 15. Of other databases with its protocol it needs no more than `SKIP LOCKED`, `jsonb` and PL/pgSQL.
public enum FleetSchema {
    /// The version that this Lull knows.
    public static var version: Int { steps.count }

    /// The schema of a fleet in its database.
    public static func name(of fleet: String) -> String { "lull_" + fleet }
    static func hostRole(of fleet: String) -> String { name(of: fleet) + "_host" }
    static func readerRole(of fleet: String) -> String { name(of: fleet) + "_reader" }
    /// The role that may set what all hosts run: no host may.
    static func operatorRole(of fleet: String) -> String { name(of: fleet) + "_operator" }
    /// The role of logins that are one host's own.
    static func ownRole(of fleet: String) -> String { name(of: fleet) + "_own" }
    static func roles(of fleet: String) -> [String] {
        [hostRole(of: fleet), readerRole(of: fleet), operatorRole(of: fleet), ownRole(of: fleet)]
    }

    /// Without statistics, as after an outage, PostgreSQL takes 200,000 slots for ten, sorts them all, and keeps the plan.
    /// So these functions may use an index and nothing else. A disabled plan counts as expensive, which would start the JIT.
    private static let settings = """
        set search_path = {schema}, pg_temp
        set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off
        set jit = off set lock_timeout = '4s'
        """

    private static let steps: [[String]] = [
        [
            tables, logins, checks, slots, beat, upkeep, claim, operators, readers, tasks,
            FleetMirrorSchema.text, manifests,
        ]
    ]

    /// The SQL that leads from one version of a fleet's schema to the next; version 0 is an empty schema.
    static func step(after version: Int, fleet: String) -> String {
        let text = steps[version].joined(separator: "\n").replacing("{settings}", with: settings)
        return text.replacing("{schema}", with: quoted(name(of: fleet)))
            + "\ninsert into version (version) values (\(version + 1));"
    }

    /// The grants of each role; repeated at each installation, because a role may have been made anew.
    static func grants(fleet: String) -> String {
        let schema = quoted(name(of: fleet))
        let roles = roles(of: fleet).map(quoted)
        let state = ["hosts", "slots", "jobs", "counts", "tasks", "why", "rollout"]
        let asReader = state + FleetMirrorSchema.readerFunctions
        // The state of the fleet and nothing that other hosts recorded or printed.
        let asOwn =
            state + ["reports", "mirrors", "hello", "beat", "claim", "finish", "leave", "manifest", "refuse"]
            + FleetMirrorSchema.hostFunctions
        let asHost = Array(Set(asReader + asOwn).sorted()) + ["drain", "resume", "forget"]
        let asOperator = asReader + ["drain", "resume", "forget", "manifest", "apply", "back"]
        func list(_ names: [String]) -> String {
            names.map { "\(schema).\($0)_1(jsonb)" }.joined(separator: ", ")
        }
        return """
            revoke all on schema \(schema) from public;
            revoke all on all functions in schema \(schema) from public;
            grant usage on schema \(schema) to \(roles.joined(separator: ", "));
            grant execute on function \(list(asHost)) to \(roles[0]);
            grant execute on function \(list(asReader)) to \(roles[1]);
            grant execute on function \(list(asOperator)) to \(roles[2]);
            grant execute on function \(list(asOwn)) to \(roles[3]);
            """
    }

    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
    static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}
