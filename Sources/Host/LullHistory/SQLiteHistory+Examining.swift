import GRDB
public import LullModel

/// The full look at a history, which takes seconds for hundreds of megabytes, and what becomes of it.
extension SQLiteHistory {
    /// What is wrong, in SQLite's words; empty: nothing. It reads on a connection of its own, and keeps nobody from writing.
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

    /// Makes all indices anew where they alone are wrong, and keeps what was found. It writes: in the writer's turn.
    ///
    /// Throws `.damaged` where a table is, and has the next opening find that: then the history is to be salvaged.
    public func settle(_ problems: [String], at time: WallTime) throws(HistoryError) -> HistoryExamination {
        let examination = HistoryExamination(time: time, finding: problems.first)
        do throws(HistoryError) {
            // The tables are only read for it, and another look says whether it has helped.
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

    /// The last full look; nil: there was none.
    public func lastExamination() throws(HistoryError) -> HistoryExamination? {
        try read { try Self.memo(Self.examined, $0) }.flatMap(HistoryExamination.init(memo:))
    }

    /// The last one that found something.
    public func lastFinding() throws(HistoryError) -> HistoryExamination? {
        try read { try Self.memo(Self.found, $0) }.flatMap(HistoryExamination.init(memo:))
    }

    /// The pragma for an opening: all is looked at where the last host found what a quick look misses, and nothing where
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

    /// Whether the sentence is about an index that tells of other rows than its table.
    private static func isOfIndex(_ problem: String) -> Bool {
        ["missing from index ", "values differ from index ", "entries in index ", "entry in index "].contains
        {
            problem.contains($0)
        }
    }
}
