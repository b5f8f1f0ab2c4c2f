import Foundation
import GRDB
import LullModel

/// Writes and reads an event as a row of the table `events`: repeated texts by their numbers, and the fields that few events
/// have packed into `details`.
enum EventRow {
    static let columns = "time, event, app, task, request, run, outcome, ms, reason, details"
    static let selection = "SELECT seq, \(columns) FROM events"
    /// Without the details of the events in `brief`.
    static func selection(brief: Set<HistoryEvent.Name>) -> String {
        guard !brief.isEmpty else { return selection }
        let details = "CASE WHEN \(HistoryQuery.condition(brief)) THEN NULL ELSE details END"
        return "SELECT seq, \(columns.replacing("details", with: details)) FROM events"
    }

    static let insertion = "INSERT INTO events (seq, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    static func insert(
        _ event: HistoryEvent, seq: Int64, _ names: inout Names, _ db: Database
    ) throws {
        let app = try names.identifier(event.app.text, db)
        let task = try event.task.map { try names.identifier($0.text, db) }
        if let task, let name = event.task?.text {
            try names.note((name, task), of: (event.app.text, app), db)
        }
        let reason = try event.reason.map { try names.sentence(whole($0), db) }
        let details = try EventDetails.pack(event) { try names.sentence($0, db) }
        let values: [(any DatabaseValueConvertible)?] = [
            seq, event.time.milliseconds, Words.number(of: event.event.rawValue), app, task,
            event.request.map { Int64(bitPattern: $0.number) },
            event.run.map { Int64(bitPattern: $0.number) },
            event.outcome.flatMap { Words.number(of: $0.rawValue) }, event.milliseconds, reason,
            details.isEmpty ? nil : Data(details),
        ]
        let insertion = try db.cachedStatement(sql: insertion)
        insertion.setUncheckedArguments(StatementArguments(values))
        try insertion.execute()
    }

    /// Replaces each NUL of a plugin's text with U+FFFD, because SQLite's texts end at a NUL.
    static func whole(_ words: String) -> String {
        guard words.utf8.contains(0) else { return words }
        return words.replacing("\0", with: "\u{FFFD}")
    }

    /// The event of a row that `selection` found; throws `DamagedRow` if its values make no sense.
    static func event(_ row: some EventColumns, _ names: some RowNames) throws -> HistoryEvent {
        var damage: DamagedRow { DamagedRow(table: "events", row: row.integer(0)) }
        /// Nil for a null; an unknown value is damage.
        func word<Value>(
            _ column: Int, _ known: (Int64) throws -> Value?, _ make: (String) -> Value?
        ) throws -> Value? {
            let word =
                switch row.name(column) {
                case .number(let number): try known(number)
                case .text(let text): make(text)
                case nil: nil as Value?
                }
            guard word != nil || row.isNull(column) else { throw damage }
            return word
        }
        guard let time = row.integer(1), let event = row.integer(2).flatMap(Words.event),
            let app = try word(3, names.app, AppIdentifier.init(recorded:))
        else { throw damage }
        var result = HistoryEvent(event, at: WallTime(recorded: time), app: app)
        result.task = try word(4, names.task, TaskIdentifier.init)
        result.request = row.integer(5).map { RequestID(UInt64(bitPattern: $0)) }
        result.run = row.integer(6).map { RunID(UInt64(bitPattern: $0)) }
        result.outcome = try word(7, Words.outcome, Outcome.init(rawValue:))
        result.milliseconds = row.integer(8)
        result.reason = try word(9, names.text) { $0 }
        if let details = row.bytes(10) {
            do {
                try EventDetails.unpack(details, into: &result, text: names.text)
            } catch is Unpacker.Damage {
                throw damage
            }
        } else if !row.isNull(10) {
            throw damage
        }
        return result
    }
}

/// Looks up the texts that the numbers in a row stand for.
protocol RowNames {
    func text(_ number: Int64) throws -> String?
    func app(_ number: Int64) throws -> AppIdentifier?
    func task(_ number: Int64) throws -> TaskIdentifier?
}

extension RowNames {
    func app(_ number: Int64) throws -> AppIdentifier? {
        try text(number).flatMap(AppIdentifier.init(recorded:))
    }
    func task(_ number: Int64) throws -> TaskIdentifier? { try text(number).flatMap(TaskIdentifier.init) }
}
