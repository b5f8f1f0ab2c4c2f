import LullModel

/// A JSON value in few bytes: a tag, then the value.
private enum JSONTag: UInt64 {
    case null, no, yes, integer, number
    /// A text that is a time in RFC 3339 as Lull writes it, relative to the event's.
    case time
    case text
    /// The count of its values, then these.
    case list
    /// The count of its members; their keys, one a line, as one text; their values, in the same order.
    case object
}

struct JSONPacker {
    var packer: Packer
    let time: WallTime
    /// Texts are written in full.
    let isPrivate: Bool

    mutating func put(_ value: JSONValue, _ name: (String) throws -> Name) throws {
        switch value {
        case .null: put(.null)
        case .bool(let value): put(value ? .yes : .no)
        case .integer(let value):
            put(.integer)
            packer.put(signed: value)
        case .number(let value):
            put(.number)
            packer.put(value)
        case .string(let text):
            if let time = WallTime(canonical: text) {
                put(.time)
                packer.put(signed: time.milliseconds &- self.time.milliseconds)
            } else {
                put(.text)
                let text = EventRow.whole(text)
                packer.put(isPrivate ? .text(text) : try name(text))
            }
        case .array(let values):
            put(.list)
            packer.put(UInt64(values.count))
            for value in values { try put(value, name) }
        case .object(let members):
            put(.object)
            packer.put(UInt64(members.count))
            guard !members.isEmpty else { return }
            let keys = members.keys.sorted()
            packer.put(try name(EventRow.whole(keys.joined(separator: "\n"))))
            for key in keys { try put(members[key] ?? .null, name) }
        }
    }

    private mutating func put(_ tag: JSONTag) { packer.put(tag.rawValue) }
}

struct JSONUnpacker {
    var unpacker: Unpacker
    let time: WallTime
    private var depth = 0

    init(unpacker: Unpacker, time: WallTime) {
        self.unpacker = unpacker
        self.time = time
    }

    /// No value of an event is nested deeper.
    private static let deepest = 16

    mutating func moment() throws -> WallTime {
        WallTime(recorded: time.milliseconds &+ (try unpacker.signed()))
    }

    mutating func value(_ text: (Int64) throws -> String?) throws -> JSONValue {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest, let tag = JSONTag(rawValue: try unpacker.number()) else {
            throw Unpacker.Damage()
        }
        switch tag {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .integer: return .integer(try unpacker.signed())
        case .number: return .number(try unpacker.double())
        case .time: return .string(try moment().rfc3339)
        case .text: return .string(try string(text))
        case .list:
            var values: [JSONValue] = []
            for _ in 0..<(try count()) { values.append(try value(text)) }
            return .array(values)
        case .object:
            let count = try count()
            guard count > 0 else { return .object([:]) }
            let keys = try string(text).split(separator: "\n", omittingEmptySubsequences: false)
            guard keys.count == count else { throw Unpacker.Damage() }
            var members: [String: JSONValue] = [:]
            for key in keys { members[String(key)] = try value(text) }
            return .object(members)
        }
    }

    /// A count of values; each takes at least a byte.
    private mutating func count() throws -> UInt64 {
        let count = try unpacker.number()
        guard count <= UInt64(unpacker.bytesLeft) else { throw Unpacker.Damage() }
        return count
    }

    private mutating func string(_ text: (Int64) throws -> String?) throws -> String {
        switch try unpacker.name() {
        case .text(let text): return text
        case .number(let number):
            guard let text = try text(number) else { throw Unpacker.Damage() }
            return text
        }
    }
}

extension WallTime {
    /// Nil unless `text` is what `rfc3339` gives for a time.
    fileprivate init?(canonical text: String) {
        guard text.utf8.count == 24, text.utf8.last == UInt8(ascii: "Z"), let time = WallTime(rfc3339: text),
            time.rfc3339 == text
        else { return nil }
        self = time
    }
}
