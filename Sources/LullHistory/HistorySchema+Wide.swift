import GRDB

/// The tables as they were up to version 6: for saving what can be read of one that is damaged.
extension HistorySchema {
    static func makeWide(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA application_id = \(applicationID);
                CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
                INSERT INTO meta VALUES ('version', \(wideVersion));
                CREATE TABLE events (
                    seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, event TEXT NOT NULL, app TEXT NOT NULL,
                    task TEXT, request INTEGER, run INTEGER, outcome TEXT, reason TEXT, kind TEXT, origin TEXT,
                    earliest_begin INTEGER, requires TEXT, gates TEXT, registered TEXT, stamp TEXT, ms INTEGER,
                    price REAL, budget REAL, shares TEXT, title TEXT, subtitle TEXT, protection TEXT,
                    provenance TEXT, notice TEXT, expected_by INTEGER, occasion TEXT
                );
                CREATE INDEX events_time ON events (time);
                CREATE INDEX events_app ON events (app, time);
                CREATE INDEX events_task ON events (task, time) WHERE task IS NOT NULL;
                CREATE INDEX events_run ON events (run) WHERE run IS NOT NULL;
                CREATE INDEX events_request ON events (request) WHERE request IS NOT NULL;
                CREATE TABLE checkpoint (
                    id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, version INTEGER NOT NULL,
                    data BLOB NOT NULL
                );
                CREATE TABLE output (
                    run INTEGER NOT NULL, start INTEGER NOT NULL, stream TEXT NOT NULL, time INTEGER NOT NULL,
                    shared INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (run, start)
                );
                CREATE INDEX output_time ON output (time);
                """)
    }
}
