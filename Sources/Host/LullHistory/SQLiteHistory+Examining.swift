import GRDB
public import LullModel

/// The full check of a history, which takes seconds for hundreds of megabytes, and its consequences.
extension SQLiteHistory {
    /// The problems that SQLite finds; empty if there are none. It reads on a connection of its own, and blocks no writer.
    public func problems() throws(HistoryError) -> [String] {
        do {
            let own = try DatabaseQueue(path: path, configuration: Self.configuration(readonly: true))
            let verdict = try own.read { try String.fetchAll($0, sql: "PRAGMA integrity_check(20)") }
            try own.close()
            if verdict == ["ok"] { return [] }
            distrust()
            return verdict
        } catch {
            throw failure(error)
        }
    }

    /// Makes all indices anew if they alone are wrong, and records the finding. It writes, so it is called in the writer's turn.
    ///
    /// Throws `.damaged` if a table is wrong, and makes the next opening check in full, so that the history is salvaged then.
    public func settle(_ problems: [String], at time: WallTime) throws(HistoryError) -> HistoryExamination {
        let examination = HistoryExamination(time: time, finding: problems.first)
        do throws(HistoryError) {
            // REINDEX only reads the tables, and another check tells whether it has helped.
            if !problems.isEmpty {
                guard problems.allSatisfy(Self.isOfIndex) else { throw Self.damage(problems, path) }
                try write { try $0.execute(sql: "REINDEX") }
                let rest = try self.problems()
                guard rest.isEmpty else { throw Self.damage(rest, path) }
            }
            try write { db in
                try Self.put(examination.memo, as: Self.examined, db)
                if !problems.isEmpty { try Self.put(examination.memo, as: Self.found, db) }
            }
            return examination
        } catch {
            if case .damaged(_, let what) = error {
                try? write { try Self.put(what, as: Self.suspicion, $0) }
            }
            throw error
        }
    }

    /// The last full check; nil if there was none.
    public func lastExamination() throws(HistoryError) -> HistoryExamination? {
        try read { try Self.memo(Self.examined, $0) }.flatMap(HistoryExamination.init(memo:))
    }

    /// The last full check that found something; nil if there was none.
    public func lastFinding() throws(HistoryError) -> HistoryExamination? {
        try read { try Self.memo(Self.found, $0) }.flatMap(HistoryExamination.init(memo:))
    }

    /// The check pragma for an opening: the full check if the last host found damage that the quick one misses, and none if
    /// the file is as the last host has left it.
    static func check(for db: Database, isSealed: Bool) throws -> String? {
        if try memo(suspicion, db) != nil { return "integrity_check" }
        return isSealed ? nil : "quick_check"
    }

    private static let examined = "examined"
    private static let found = "found"
    private static let suspicion = "suspicion"

    private static func damage(_ problems: [String], _ path: String) -> HistoryError {
        .damaged(path: path, what: problems.first ?? "")
    }

    /// Whether the problem is an index that does not agree with its table.
    private static func isOfIndex(_ problem: String) -> Bool {
        ["missing from index ", "values differ from index ", "entries in index ", "entry in index "].contains
        {
            problem.contains($0)
        }
    }
}
