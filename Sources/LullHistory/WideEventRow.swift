import GRDB
import LullModel

/// One event as a row of the table `events` as it was up to version 6, both ways: each text in full, a column for each field.
///
/// Such a history is read as it is, and written where there is no room to make it narrow (`HistoryNarrowing`).
enum WideEventRow {
    static let columns =
        "time, event, app, task, request, run, outcome, reason, kind, origin, earliest_begin, requires, gates, "
        + "registered, stamp, ms, price, budget, shares, title, subtitle, protection, provenance, notice, "
        + "expected_by, occasion"
    static let insertion =
        "INSERT INTO events (seq, \(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    /// Of a database of an older version, whose table lacks columns, these are null.
    static func selection(version: Int = HistorySchema.wideVersion) -> String {
        var present = columns
        if version < 5 { present.replace(", occasion", with: ", NULL") }
        if version < 4 { present.replace(", provenance, notice, expected_by", with: ", NULL, NULL, NULL") }
        if version < 3 { present.replace(", title, subtitle, protection", with: ", NULL, NULL, NULL") }
        if version < 2 { present.replace(", price, budget, shares", with: ", NULL, NULL, NULL") }
        return "SELECT seq, \(present) FROM events"
    }

    static func arguments(of event: HistoryEvent, seq: Int64) -> StatementArguments {
        StatementArguments(values(of: event, seq: seq))
    }

    static func values(of event: HistoryEvent, seq: Int64) -> [(any DatabaseValueConvertible)?] {
        [
            seq, event.time.milliseconds, event.event.rawValue, event.app.text, event.task?.text,
            event.request.map { Int64(bitPattern: $0.number) },
            event.run.map { Int64(bitPattern: $0.number) },
            event.outcome?.rawValue, whole(event.reason), event.kind?.rawValue, event.origin?.rawValue,
            event.earliestBegin?.milliseconds, event.requires?.json.text, event.gates?.joined(separator: " "),
            event.registered?.map(\.text).joined(separator: " "), event.stamp, event.milliseconds,
            event.price, event.budget, event.shares.map { JSONValue.object(shares: $0).text },
            whole(event.label?.title), whole(event.label?.subtitle), whole(event.label?.protection),
            event.provenance?.json.text,
            event.notice?.json.text, event.expectedBy?.milliseconds, occasion(of: event),
        ]
    }

    /// A history that has no room to become narrow has no columns for events, pushes and transfers: they stand beside the time.
    private static func occasion(of event: HistoryEvent) -> String? {
        guard event.happening != nil || event.push != nil || event.transfer != nil || event.slot != nil else {
            return event.occasion?.json.text
        }
        var members: [String: JSONValue] = [:]
        if case .object(let occasion)? = event.occasion?.json { members = occasion }
        members["happening"] = event.happening?.json
        members["push"] = event.push?.json
        members["transfer"] = event.transfer?.json
        members["slot"] = event.slot?.json
        return JSONValue.object(members).text
    }

    private static func readOccasion(_ text: String, into event: inout HistoryEvent) -> Bool {
        guard case .object(var members)? = JSONValue(text: text) else { return false }
        let (happening, push, transfer, slot) = (
            members.removeValue(forKey: "happening"), members.removeValue(forKey: "push"),
            members.removeValue(forKey: "transfer"), members.removeValue(forKey: "slot")
        )
        event.happening = happening.flatMap(Happening.init(json:))
        event.push = push.flatMap(PushNote.init(json:))
        event.transfer = transfer.flatMap(TransferNote.init(json:))
        event.slot = slot.flatMap(SlotNote.init(json:))
        guard (event.happening == nil) == (happening == nil), (event.push == nil) == (push == nil),
            (event.transfer == nil) == (transfer == nil), (event.slot == nil) == (slot == nil)
        else { return false }
        if members.isEmpty { return happening != nil || push != nil || transfer != nil || slot != nil }
        event.occasion = Occasion(json: .object(members))
        return event.occasion != nil
    }

    private static func whole(_ words: String?) -> String? { words.map(EventRow.whole) }

    /// The event of a row that `selection` found; throws what is wrong with it in words.
    static func event(_ row: Row) throws(DamagedRow) -> HistoryEvent {
        guard let time: Int64 = number(row, 1),
            let event = word(row, 2).flatMap(HistoryEvent.Name.init(rawValue:)),
            let app = word(row, 3).flatMap(AppIdentifier.init(recorded:))
        else { throw DamagedRow(table: "events", row: number(row, 0)) }
        do {
            var result = HistoryEvent(event, at: WallTime(recorded: time), app: app)
            result.task = try known(word(row, 4), TaskIdentifier.init)
            result.request = number(row, 5).map { RequestID(UInt64(bitPattern: $0)) }
            result.run = number(row, 6).map { RunID(UInt64(bitPattern: $0)) }
            result.outcome = try known(word(row, 7), Outcome.init(rawValue:))
            result.reason = word(row, 8)
            result.kind = try known(word(row, 9), Kind.init(rawValue:))
            result.origin = try known(word(row, 10), TaskRequest.Origin.init(rawValue:))
            result.earliestBegin = number(row, 11).map(WallTime.init(milliseconds:))
            result.requires = try known(word(row, 12), Requirements.init(json:))
            result.gates = word(row, 13)?.split(separator: " ").map(String.init)
            result.registered = try word(row, 14)?.split(separator: " ").map { word throws(Unknown) in
                guard let task = TaskIdentifier(String(word)) else { throw Unknown() }
                return task
            }
            result.stamp = word(row, 15)
            result.milliseconds = number(row, 16)
            result.price = Double.fromDatabaseValue(row[17])
            result.budget = Double.fromDatabaseValue(row[18])
            result.shares = try known(word(row, 19)) { JSONValue(text: $0)?.shares }
            result.label = RequestLabel(
                title: word(row, 20), subtitle: word(row, 21), protection: word(row, 22))
            result.provenance = try known(word(row, 23)) {
                JSONValue(text: $0).flatMap(Provenance.init(json:))
            }
            result.notice = try known(word(row, 24)) {
                JSONValue(text: $0).flatMap(NoticeNote.init(json:))
            }
            result.expectedBy = number(row, 25).map(WallTime.init(milliseconds:))
            if let text = word(row, 26), !readOccasion(text, into: &result) { throw Unknown() }
            return result
        } catch {
            throw DamagedRow(table: "events", row: number(row, 0))
        }
    }

    private struct Unknown: Error {}

    private static func number(_ row: Row, _ column: Int) -> Int64? {
        Int64.fromDatabaseValue(row[column])
    }

    private static func word(_ row: Row, _ column: Int) -> String? {
        String.fromDatabaseValue(row[column])
    }

    /// Nil for nil, and an error for a value that nobody knows.
    private static func known<Value>(_ word: String?, _ make: (String) -> Value?) throws(Unknown) -> Value? {
        guard let word else { return nil }
        guard let value = make(word) else { throw Unknown() }
        return value
    }
}
