public import LullModel

/// The history as JSON Lines: one event a line, both ways.
///
/// Written keys come in a fixed order, times are RFC 3339. Lines that are read may have any order of keys, any offset,
/// and fields that this version does not know.
public enum HistoryLines {
    /// The limit of a line; no event is longer, not even with the output of a run that printed byte by byte.
    public static let lineBytes = 8 << 20

    /// The event as the JSON value of its line.
    public static func json(of event: HistoryEvent) -> JSONValue {
        .object(Dictionary(uniqueKeysWithValues: members(of: event)))
    }

    /// The event as one line, without its newline; with the output of the run that it ends.
    public static func encode(_ event: HistoryEvent, with output: RunOutput? = nil) -> String {
        var members = members(of: event)
        if let output { members.append(("output_pieces", output.json)) }
        return "{" + members.map { "\"\($0.0)\":\($0.1.text)" }.joined(separator: ",") + "}"
    }

    private static func members(of event: HistoryEvent) -> [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("time", .string(event.time.rfc3339)), ("event", .string(event.event.rawValue)),
            ("app", .string(event.app.text)),
        ]
        for field in EventField.all {
            if let value = field.json(of: event) { members.append((field.key, value)) }
        }
        return members
    }
}
