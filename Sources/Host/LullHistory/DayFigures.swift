import GRDB
import LullModel

/// The figures of each task on each day; the table `days` holds them for events that were deleted for the history's size.
enum DayFigures {
    static let columns = """
        (
            day INTEGER NOT NULL, app NOT NULL, task NOT NULL, launched INTEGER NOT NULL,
            succeeded INTEGER NOT NULL, failed INTEGER NOT NULL, ms INTEGER NOT NULL,
            PRIMARY KEY (day, app, task)
        ) WITHOUT ROWID
        """
    static let selection = "SELECT day, app, task, launched, succeeded, failed, ms FROM days"

    /// The limit of a figure, more than any day reaches: a damaged file may hold any number, and sums must not overflow.
    private static let most: Int64 = 1 << 40

    /// Counts the events from the time `?2` on; `?1` is the length of a day.
    static let counting: String = {
        let (launched, completed) = (Thinner.code(.launched), Thinner.code(.completed))
        let ends = "event IN (\(completed), \(Thinner.code(.failed)), \(Thinner.code(.interrupted)))"
        let success = "event = \(completed) AND outcome IS \(Thinner.success)"
        return """
            SELECT (time - (time % ?1 + ?1) % ?1) AS day, app, task, sum(event = \(launched)), sum(\(success)), sum(\(ends) AND NOT (\(success))),
                sum(CASE WHEN \(ends) THEN min(max(ifnull(ms, 0), 0), \(most)) ELSE 0 END)
            FROM events INDEXED BY events_time
            WHERE task IS NOT NULL AND run IS NOT NULL AND (event = \(launched) OR \(ends)) AND time >= ?2
            """
    }()

    /// Histories that were made before the schema had this table get it when they need it.
    static func makeTable(_ db: Database) throws {
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS days \(columns)")
    }

    /// Asked of the database itself: another connection may have made it.
    private static func isThere(_ db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'days')") ?? false
    }

    /// Deletes the figures of days whose events retention would delete.
    static func delete(_ bounds: PruneBounds, _ db: Database) throws {
        guard try isThere(db), let first = try Int64.fetchOne(db, sql: "SELECT min(day) FROM days")
        else { return }
        let end = bounds.end(bounds.eventsBefore, oldest: WallTime(milliseconds: first))
        try db.execute(sql: "DELETE FROM days WHERE day < ?", arguments: [end.milliseconds])
    }

    static func put(_ days: [HistoryDay], _ names: inout Names, _ db: Database) throws {
        try makeTable(db)
        for day in days {
            try db.execute(
                sql: "INSERT OR REPLACE INTO days VALUES (?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    day.day.milliseconds, names.identifier(day.app.text, db),
                    names.identifier(day.task.text, db),
                    day.launched, day.succeeded, day.failed, day.milliseconds,
                ])
        }
    }

    /// The figures in place of deleted events, of days from `since` on that begin before `end`.
    static func kept(
        since: WallTime, before end: WallTime = .distantFuture, task: Name? = nil, _ db: Database,
        text: (Int64) throws -> String?
    ) throws -> [HistoryDay] {
        guard try isThere(db) else { return [] }
        let rows = try Row.fetchAll(
            db, sql: "\(selection) WHERE day >= ?1 AND day < ?2 AND (?3 IS NULL OR task = ?3) ORDER BY day",
            arguments: [since.milliseconds, end.milliseconds, task])
        return try rows.compactMap { try day($0, text) }
    }

    /// The figures of days from `since` on, counted from the events that are still there.
    static func counted(
        since: WallTime, task: Name?, _ db: Database, text: (Int64) throws -> String?
    ) throws -> [HistoryDay] {
        let begin = max(since, try Thinner.thinning(db)?.events ?? .distantPast)
        let rows = try Row.fetchAll(
            db, sql: "\(counting) AND (?3 IS NULL OR task = ?3) GROUP BY day, app, task ORDER BY day",
            arguments: [Duration.days(1).milliseconds, begin.milliseconds, task])
        return try rows.compactMap { try day($0, text) }
    }

    /// Nil if the row holds no valid figures.
    static func day(_ row: Row, _ text: (Int64) throws -> String?) throws -> HistoryDay? {
        func word(_ column: Int) throws -> String? {
            switch Name.fromDatabaseValue(row[column]) {
            case .text(let text): text
            case .number(let number): try text(number)
            case nil: nil
            }
        }
        func figure(_ column: Int) -> Int64? {
            Int64.fromDatabaseValue(row[column]).map { min(max($0, 0), most) }
        }
        guard let app = try word(1).flatMap(AppIdentifier.init(recorded:)),
            let task = try word(2).flatMap(TaskIdentifier.init), let day = Int64.fromDatabaseValue(row[0]),
            let launched = figure(3), let succeeded = figure(4), let failed = figure(5), let time = figure(6)
        else { return nil }
        return HistoryDay(
            day: WallTime(recorded: day), app: app, task: task, launched: Int(launched),
            succeeded: Int(succeeded), failed: Int(failed), milliseconds: time)
    }
}

extension SQLiteHistory {
    public func thinned(from: WallTime, to: WallTime) throws(HistoryError) -> ThinnedPast? {
        try readNamed { db, names in
            guard let until = try Thinner.thinning(db)?.events, until > from else { return nil }
            let days = try DayFigures.kept(
                since: from - .days(1) + .milliseconds(1), before: min(to, until), db
            ) { try names.text($0, db) }
            return ThinnedPast(until: until, days: days)
        }
    }

    /// The figures of each task, or of `task` alone, by day: also for days whose events were deleted for the history's size.
    public func days(of task: TaskIdentifier? = nil, since: WallTime) throws(HistoryError) -> [HistoryDay] {
        try readNamed { db, names in
            let key = try task.map { try names.known($0.text, db) }
            func text(_ number: Int64) throws -> String? { try names.text(number, db) }
            var all = try DayFigures.kept(since: since, task: key, db, text: text)
            for day in try DayFigures.counted(since: since, task: key, db, text: text) {
                // The events of a day may be deleted in part.
                if let place = all.lastIndex(where: {
                    $0.day == day.day && $0.app == day.app && $0.task == day.task
                }) {
                    all[place].add(day)
                } else {
                    all.append(day)
                }
            }
            return all.sorted { ($0.day, $0.app.text, $0.task.text) < ($1.day, $1.app.text, $1.task.text) }
        }
    }
}
