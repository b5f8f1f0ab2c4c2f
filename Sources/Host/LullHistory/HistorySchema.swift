import GRDB

/// The tables of `history.sqlite`; `docs/history.md` explains them.
enum HistorySchema {
    static let version = 1
    /// "Lull" in ASCII, in the database's header: it tells a history from any other database.
    static let applicationID = 0x4C75_6C6C

    /// Throws if the database is not a history that this Lull knows; false if it is still empty.
    static func check(_ db: Database, path: String) throws -> Bool {
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if application != applicationID {
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            if tables > 0, try isOurs(db) {
                throw HistoryError.damaged(path: path, what: "its application number is \(application)")
            }
            guard application == 0, tables == 0 else { throw HistoryError.foreign(path: path) }
            return false
        }
        guard let version = try version(of: db), version >= 1 else {
            throw HistoryError.damaged(path: path, what: "its version is missing")
        }
        guard version <= Self.version else {
            throw HistoryError.newer(path: path, version: version, known: Self.version)
        }
        return true
    }

    /// Recognizes a history by its tables, because the number in the header may be damaged.
    private static func isOurs(_ db: Database) throws -> Bool {
        let ours = "('meta', 'events', 'checkpoint', 'output')"
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master WHERE name IN \(ours)") == 4
    }

    static func version(of db: Database) throws -> Int? {
        try Int.fetchOne(db.cachedStatement(sql: "SELECT value FROM meta WHERE key = 'version'"))
    }

    /// The whole schema has to fit into the first page beside the header (see `SalvageSource`), and each table and index begins
    /// on a page of its own in this order.
    static func make(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA application_id = \(applicationID);
                CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
                INSERT INTO meta VALUES ('version', \(version));
                CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
                CREATE TABLE tasks (app NOT NULL, task NOT NULL, PRIMARY KEY (app, task)) WITHOUT ROWID;
                CREATE TABLE events (
                    seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, event INTEGER NOT NULL, app NOT NULL, task,
                    request INTEGER, run INTEGER, outcome INTEGER, ms INTEGER, reason, details BLOB
                );
                CREATE INDEX events_time ON events (time);
                CREATE INDEX events_task ON events (task, time) WHERE task IS NOT NULL;
                CREATE INDEX events_app ON events (app, time) WHERE task IS NULL;
                CREATE INDEX events_run ON events (run) WHERE run IS NOT NULL;
                CREATE INDEX events_request ON events (request) WHERE request IS NOT NULL;
                CREATE INDEX events_rare ON events (event, time) WHERE \(HistoryQuery.rare);
                CREATE TABLE checkpoint (
                    id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, version INTEGER NOT NULL,
                    data BLOB NOT NULL
                );
                CREATE TABLE output (
                    run INTEGER NOT NULL, start INTEGER NOT NULL, stream TEXT NOT NULL, time INTEGER NOT NULL,
                    shared INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (run, start)
                );
                CREATE INDEX output_time ON output (time);
                CREATE TABLE days \(DayFigures.columns);
                CREATE VIEW log AS SELECT seq, datetime(time / 1000, 'unixepoch') AS utc, e.text AS event,
                    ifnull(a.text, app) AS app, ifnull(t.text, task) AS task, request, run, o.text AS outcome, ms,
                    ifnull(r.text, reason) AS reason
                    FROM events JOIN names e ON e.id = event LEFT JOIN names a ON a.id = app
                    LEFT JOIN names t ON t.id = task LEFT JOIN names o ON o.id = outcome
                    LEFT JOIN names r ON r.id = reason;
                """)
        let insertion = try db.makeStatement(sql: "INSERT INTO names (id, text) VALUES (?, ?)")
        for (place, word) in Words.all.enumerated() { try insertion.execute(arguments: [place + 1, word]) }
    }
}
