public import Foundation
import GRDB

/// The entries on disk, and when they were last fetched and cleaned.
///
/// A write happens whole or not at all: cancelling the calling task rolls it back. SQLite keeps the writes of
/// several processes apart.
public struct FeedStore: Sendable {
    /// How old an entry gets before a cleaning deletes it.
    public static let keptFor: TimeInterval = 86_400
    /// The least time between two fetches.
    public static let fetchGap: TimeInterval = 15 * 60
    /// The least time between two cleanings.
    public static let cleaningGap: TimeInterval = 7 * 86_400

    private let path: String
    private let queue: DatabaseQueue

    /// Opens the database, and makes it if it is not there.
    public init(path: String) throws(ColorFeedError) {
        self.path = path
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            queue = try DatabaseQueue(path: path, configuration: configuration)
            try Self.migrator.migrate(queue)
        } catch {
            throw Self.sentence(error, path)
        }
    }

    private static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("entries") { database in
            try database.execute(
                sql: """
                    CREATE TABLE entry (
                        id TEXT NOT NULL, time DATETIME NOT NULL, name TEXT NOT NULL,
                        first TEXT NOT NULL, second TEXT NOT NULL, direction DOUBLE NOT NULL,
                        dated BOOLEAN NOT NULL,
                        PRIMARY KEY (id, time)
                    ) WITHOUT ROWID;
                    CREATE INDEX entry_time ON entry (time);
                    CREATE TABLE done (what TEXT PRIMARY KEY, time DATETIME NOT NULL) WITHOUT ROWID;
                    """
            )
        }
        return migrator
    }

    private static func sentence(_ error: any Error, _ path: String) -> ColorFeedError {
        let reason = (error as? DatabaseError)?.message ?? "\(error)"
        return .database(
            path: path, reason: reason + ". Correct \"database\" in the app's settings, or its folder.")
    }

    /// Runs `body`; passes cancellation on, and turns any other error of the database into a sentence.
    private func access<T>(_ body: () async throws -> T) async throws -> T {
        do {
            return try await body()
        } catch let error as DatabaseError where error.resultCode != .SQLITE_INTERRUPT {
            throw Self.sentence(error, path)
        }
    }
}

extension FeedStore {
    /// Adds the entries that are newer than the newest dated one here, and undated ones with an id not seen
    /// yet; returns how many it has added.
    public func add(_ entries: [FeedEntry], fetchedAt now: Date) async throws -> Int {
        try await access {
            try await queue.write { database in
                let newest = try Date.fetchOne(database, sql: "SELECT max(time) FROM entry WHERE dated")
                var added = 0
                for entry in entries where try Self.isNew(entry, newest: newest, in: database) {
                    try database.execute(
                        sql: "INSERT OR IGNORE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)",
                        arguments: [
                            entry.id, entry.time, entry.name,
                            entry.gradient.first, entry.gradient.second, entry.gradient.direction,
                            entry.isDated,
                        ]
                    )
                    added += database.changesCount
                }
                try Self.note("fetch", at: now, in: database)
                return added
            }
        }
    }

    private static func isNew(_ entry: FeedEntry, newest: Date?, in database: Database) throws -> Bool {
        guard entry.isDated else {
            return try Int.fetchOne(database, sql: "SELECT 1 FROM entry WHERE id = ?", arguments: [entry.id])
                == nil
        }
        return newest.map { entry.time > $0 } ?? true
    }

    /// Deletes entries older than a day, compacts the file and notes the time; returns how many it has deleted.
    public func clean(at now: Date) async throws -> Int {
        try await access {
            let deleted = try await queue.write { database in
                let bound = now.addingTimeInterval(-Self.keptFor)
                try database.execute(sql: "DELETE FROM entry WHERE time < ?", arguments: [bound])
                return database.changesCount
            }
            try await queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
            // Noted last: a cleaning that was cut off is not one.
            try await queue.write { try Self.note("cleaning", at: now, in: $0) }
            return deleted
        }
    }

    private static func note(_ what: String, at now: Date, in database: Database) throws {
        try database.execute(sql: "INSERT OR REPLACE INTO done VALUES (?, ?)", arguments: [what, now])
    }

    /// When the next fetch is due: 15 minutes after the last, and at once (nil) when there was none.
    public func nextFetch() throws(ColorFeedError) -> Date? {
        try last("fetch")?.addingTimeInterval(Self.fetchGap)
    }

    /// When the next cleaning is due: a week after the last, and at once (nil) when there was none.
    public func nextCleaning() throws(ColorFeedError) -> Date? {
        try last("cleaning")?.addingTimeInterval(Self.cleaningGap)
    }

    private func last(_ what: String) throws(ColorFeedError) -> Date? {
        do {
            return try queue.read {
                try Date.fetchOne($0, sql: "SELECT time FROM done WHERE what = ?", arguments: [what])
            }
        } catch {
            throw Self.sentence(error, path)
        }
    }

    /// All entries, oldest first.
    public func entries() async throws -> [FeedEntry] {
        try await access {
            try await queue.read { database in
                try Row.fetchAll(database, sql: "SELECT * FROM entry ORDER BY time, id").map { row in
                    FeedEntry(
                        id: row["id"], name: row["name"], time: row["time"],
                        gradient: .init(
                            first: row["first"], second: row["second"], direction: row["direction"]),
                        isDated: row["dated"]
                    )
                }
            }
        }
    }
}
