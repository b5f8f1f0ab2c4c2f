/// An error in one line of JSON Lines, with its place.
public struct LineProblem: Error, Sendable, Equatable {
    public enum Fault: Sendable, Equatable {
        /// With what was expected there instead.
        case notJSON(expected: String)
        case notUTF8
        case tooLong(bytes: Int)
        case notAnObject
        case missing(key: String)
        case duplicate(key: String)
        /// The key does not take this value.
        case wrong(key: String, expected: String, found: String)
        case unknownEvent(String, suggestion: String?)
    }

    public var path: String
    public var line: Int
    /// In bytes, from 1.
    public var column: Int
    public var fault: Fault
}

extension LineProblem: CustomStringConvertible {
    public var description: String { "\(path):\(line):\(column): error: \(sentence)" }

    private var sentence: String {
        switch fault {
        case .notJSON(let expected):
            "this is not JSON: expected \(expected). Write one JSON object a line."
        case .notUTF8:
            "the text is not UTF-8. Convert the file, for example with iconv."
        case .tooLong(let bytes):
            "the line has \(bytes) bytes. An event has at most \(HistoryLines.lineBytes)."
        case .notAnObject:
            "a line holds one JSON object, like {\"time\":\"2026-11-21T08:00:00.000Z\",\"event\":\"used\","
                + "\"app\":\"com.example.ColorFeed\"}."
        case .missing(let key):
            "'\(key)' is missing. Every event has 'time', 'event' and 'app'."
        case .duplicate(let key):
            "'\(key)' is there twice. Keep one."
        case .wrong(let key, let expected, let found):
            "'\(key)' is \(found). Write \(expected)."
        case .unknownEvent(let name, let suggestion?):
            "unknown event '\(name)'. Did you mean '\(suggestion)'?"
        case .unknownEvent(let name, nil):
            "unknown event '\(name)'. A use is recorded as 'used'; docs/history.md names all events."
        }
    }
}
