import LullModel

/// A field of an event in the history: the one place that says how JSON Lines and the rows of the database hold it.
///
/// `all` lists the fields. Their keys and numbers are part of the formats (`docs/history.md`): new ones are only added.
struct EventField: Sendable {
    /// Its key in JSON Lines.
    let key: String
    /// Its number among the details of a row; nil: the row has a column for it.
    let number: UInt64?
    /// What stands in a valid line, for the error about another value.
    let expected: String
    /// Its texts may be secret or never repeat, so they stay in the row itself and go with it.
    let isPrivate: Bool
    let form: Form

    enum Form: Sendable {
        /// A row holds it relative to the event's time.
        case time(WritableKeyPath<HistoryEvent, WallTime?> & Sendable)
        /// `write` returns false for a value that the field can't have.
        case json(
            read: @Sendable (HistoryEvent) -> JSONValue?,
            write: @Sendable (JSONValue, inout HistoryEvent) -> Bool)
    }

    private init(_ key: String, _ number: UInt64?, _ expected: String, isPrivate: Bool = false, _ form: Form)
    {
        (self.key, self.number, self.expected) = (key, number, expected)
        (self.isPrivate, self.form) = (isPrivate, form)
    }

    func json(of event: HistoryEvent) -> JSONValue? {
        switch form {
        case .time(let path): event[keyPath: path].map { .string($0.rfc3339) }
        case .json(let read, _): read(event)
        }
    }

    /// False if the field can't have this value.
    func set(_ value: JSONValue, in event: inout HistoryEvent) -> Bool {
        switch form {
        case .time(let path):
            guard let time = value.string.flatMap({ WallTime(rfc3339: $0) }) else { return false }
            event[keyPath: path] = time
            return true
        case .json(_, let write): return write(value, &event)
        }
    }
}

extension EventField {
    typealias Path<Value> = WritableKeyPath<HistoryEvent, Value?> & Sendable

    static func time(_ key: String, _ number: UInt64, _ path: Path<WallTime>) -> EventField {
        EventField(key, number, "a time as in RFC 3339, like '2026-11-21T08:00:00.000Z'", .time(path))
    }

    static func text(_ key: String, _ number: UInt64?, _ path: Path<String>) -> EventField {
        value(key, number, "a text without \\u0000", path, JSONValue.string, \.wholeText)
    }

    static func word<Value: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ key: String, _ number: UInt64?, _ path: Path<Value>
    ) -> EventField {
        let words = Value.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return value(key, number, "one of " + words, path, { .string($0.rawValue) }) {
            $0.string.flatMap(Value.init(rawValue:))
        }
    }

    static func integer(
        _ key: String, _ number: UInt64, _ range: ClosedRange<Int64>, _ path: Path<Int64>
    ) -> EventField {
        value(
            key, number, "a whole number from \(range.lowerBound) to \(range.upperBound)", path,
            JSONValue.integer
        ) { $0.integer.flatMap { range.contains($0) ? $0 : nil } }
    }

    static func number(_ key: String, _ number: UInt64, _ path: Path<Double>) -> EventField {
        value(key, number, "a number", path, JSONValue.number, \.number)
    }

    /// A value with members of its own; `example` is a valid one.
    static func object<Value>(
        _ key: String, _ number: UInt64, example: String, isPrivate: Bool = false, _ path: Path<Value>,
        _ json: @escaping @Sendable (Value) -> JSONValue, _ make: @escaping @Sendable (JSONValue) -> Value?
    ) -> EventField {
        value(key, number, "an object like " + example, isPrivate: isPrivate, path, json, make)
    }

    static func value<Value>(
        _ key: String, _ number: UInt64?, _ expected: String, isPrivate: Bool = false, _ path: Path<Value>,
        _ json: @escaping @Sendable (Value) -> JSONValue, _ make: @escaping @Sendable (JSONValue) -> Value?
    ) -> EventField {
        EventField(
            key, number, expected, isPrivate: isPrivate,
            .json(
                read: { $0[keyPath: path].map(json) },
                write: { value, event in
                    guard let made = make(value) else { return false }
                    event[keyPath: path] = made
                    return true
                }))
    }
}

extension JSONValue {
    /// Nil for a text with a NUL: SQLite's texts end there, so the rest would be lost.
    var wholeText: String? { string.flatMap { $0.utf8.contains(0) ? nil : $0 } }

    /// Nil unless it is a list of texts that are not empty.
    var words: [String]? {
        guard case .array(let values) = self else { return nil }
        let texts = values.compactMap(\.wholeText)
        return texts.count == values.count && !texts.contains("") ? texts : nil
    }

    /// Nil unless it is a whole number from 0.
    var number64: UInt64? { integer.flatMap { UInt64(exactly: $0) } }
}
