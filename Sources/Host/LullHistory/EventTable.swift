import Foundation
import GRDB
import LullModel
import Synchronization

/// The numbered texts that one connection knows.
final class SharedNames: Sendable {
    private let names = Mutex(Names())

    func withLock<Value: Sendable>(_ body: (inout Names) throws -> Value) throws -> Value {
        // What is thrown may come from anywhere, and a lock has one kind of error.
        let result = names.withLock { names in Result { try body(&names) } }
        return try result.get()
    }

    func text(_ number: Int64, _ db: Database) throws -> String? {
        try withLock { try $0.text(number, db) }
    }

    func known(_ text: String, _ db: Database) throws -> Name { try withLock { try $0.known(text, db) } }

    /// To be called after a transaction that was rolled back.
    func forget() { names.withLock { $0.forget() } }
}

private struct ConnectionNames: RowNames {
    let names: SharedNames
    let db: Database

    func text(_ number: Int64) throws -> String? { try names.text(number, db) }
    func app(_ number: Int64) throws -> AppIdentifier? { try names.withLock { try $0.app(number, db) } }
    func task(_ number: Int64) throws -> TaskIdentifier? { try names.withLock { try $0.task(number, db) } }
}

/// The table `events` of one connection.
struct EventTable {
    let db: Database
    private let names: SharedNames

    init(of db: Database, _ names: SharedNames) {
        self.db = db
        self.names = names
    }

    var selection: String { selection(brief: []) }

    func selection(brief: Set<HistoryEvent.Name>) -> String {
        EventRow.selection(brief: brief)
    }

    func insert(_ event: HistoryEvent, seq: Int64) throws {
        try names.withLock { try EventRow.insert(event, seq: seq, &$0, db) }
    }

    /// Removes from a transfer's event the texts that are not needed once the app has the result.
    func spend(seq: Int64) throws {
        guard let row = try EventRows(self, selection + " WHERE seq = ?", [seq]).next(),
            let note = row.event.transfer
        else { return }
        var event = row.event
        event.transfer = note.spent
        let details = try names.withLock { names in
            try EventDetails.pack(event) { try names.sentence($0, db) }
        }
        try db.cachedStatement(sql: "UPDATE events SET details = ? WHERE seq = ?")
            .execute(arguments: [Data(details), seq])
    }

    func event(_ columns: some EventColumns) throws -> HistoryEvent {
        try EventRow.event(columns, ConnectionNames(names: names, db: db))
    }

    /// How rows hold a text: as its number, or as it is.
    func key(_ text: String) throws -> any DatabaseValueConvertible {
        try names.known(text, db)
    }

    func key(_ name: HistoryEvent.Name) -> any DatabaseValueConvertible {
        Words.number(of: name.rawValue) ?? 0
    }
}
