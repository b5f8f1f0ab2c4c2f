public import LullModel

/// Upgrades a fleet's database to the schema of this Lull. Blocks, as a command may.
///
/// It may run again at any time, and on several hosts at once: one after another they find that all is there.
public struct FleetInstall: Sendable {
    public struct Report: Sendable, Equatable {
        /// The version before; 0: there was none.
        public let before: Int
        public let now: Int
        public let schema: String
    }

    /// The oldest server that has what the schema needs, in the server's own numbering.
    static let least = 150_000

    /// The steps after `version` (0: all) up to this Lull's, as SQL for an administrator to read or to run.
    public static func sql(fleet: String, after version: Int = 0) -> String {
        let schema = FleetSchema.quoted(FleetSchema.name(of: fleet))
        let steps = (version..<FleetSchema.version).map { FleetSchema.step(after: $0, fleet: fleet) }
        return """
            \(demanding(least))
            create schema if not exists \(schema);
            set local search_path = \(schema), pg_temp;
            set local client_min_messages = warning;
            \(steps.joined(separator: "\n"))
            \(roles(fleet: fleet))
            \(FleetSchema.grants(fleet: fleet))
            """
    }

    public static func run(
        _ definition: FleetDefinition, credentials: String? = nil, timeout: Duration = .seconds(30)
    ) throws(FleetTrouble) -> Report {
        let place = definition.database
        let dial = PostgresDial(
            database: place, credentials: credentials, timeout: timeout, statementTimeout: timeout * 10)
        let link = try dial.connect().get()
        func run(_ statements: String) throws(FleetTrouble) -> String? {
            switch link.run(statements) {
            case .value(let text): return text
            case .fault(let state, let words):
                throw .refused(place: place, state: state, words: words)
            }
        }
        let fleet = definition.name
        let name = FleetSchema.name(of: fleet)
        // Other installations wait here. It is one transaction: a pooler may give the next one to another session.
        _ = try run("begin; select pg_advisory_xact_lock(hashtext(\(FleetSchema.literal(name))))")
        let table = FleetSchema.literal(FleetSchema.quoted(name) + ".version")
        let isThere = try run("select to_regclass(\(table)) is not null") == "t"
        let text = isThere ? try run("select max(version) from \(FleetSchema.quoted(name)).version") : nil
        let before = text.flatMap { Int($0) } ?? 0
        guard before <= FleetSchema.version else { throw .newer(place: place, version: before) }
        _ = try run(sql(fleet: fleet, after: before))
        _ = try run("commit")
        return Report(
            before: before, now: FleetSchema.version, schema: name)
    }

    /// SQL that refuses an older server before anything is changed.
    static func demanding(_ version: Int) -> String {
        """
        do $do$ begin
            if current_setting('server_version_num')::int < \(version) then
                raise exception 'it is PostgreSQL %, and the fleet''s schema needs \(version / 10_000) or later',
                    current_setting('server_version') using errcode = 'feature_not_supported';
            end if;
        end $do$;
        """
    }

    /// Roles belong to the whole server: another fleet's installation may have made one at this moment.
    private static func roles(fleet: String) -> String {
        FleetSchema.roles(of: fleet).map { role in
            let quoted = FleetSchema.quoted(role)
            return """
                do $do$ begin
                    if not exists (select from pg_roles where rolname = \(FleetSchema.literal(role))) then
                        create role \(quoted) login;
                        alter role \(quoted) set statement_timeout = '8s';
                    end if;
                exception when duplicate_object or unique_violation then null;
                end $do$;
                """
        }.joined(separator: "\n")
    }
}
