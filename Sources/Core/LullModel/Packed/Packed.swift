/// A compact and fast binary format for Codable values that only Lull itself writes and reads.
///
/// Each value is a tag and its content, depth first. A text is written once; later uses refer to it by number. The same holds
/// for the keys of a record, because many records have the same type. Numbers are in groups of seven bits, the lowest first.
/// JSON takes twice as long to read for the same values, and a property list six times as long.
public enum Packed {
    /// The first bytes; neither JSON nor a property list begins with them.
    static let mark: [UInt8] = [0xF5, 1]
    /// The most levels of nesting; no value of Lull has as many.
    static let deepest = 256

    enum Tag: UInt8 {
        case null, no, yes
        /// Numbers from 0 on, and numbers below 0.
        case positive, negative
        case double
        case newText, text
        case list
        case newRecord, record
    }

    public static func isPacked(_ bytes: some Collection<UInt8>) -> Bool { bytes.starts(with: mark) }

    public static func encode(_ value: some Encodable) throws -> [UInt8] {
        var writer = PackedWriter()
        writer.write(try PackedValue(encoding: value))
        return writer.bytes
    }

    /// Throws `DecodingError` for bytes of another format, and for most damaged bytes: some damage only changes a value.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: some Sequence<UInt8>
    ) throws -> Value {
        var reader = PackedReader(bytes: Array(bytes))
        return try PackedDecoder(value: reader.read()).decode(type)
    }

    static func damage(_ what: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: what))
    }
}

/// A value between its type and its bytes.
enum PackedValue {
    case null
    case bool(Bool)
    case positive(UInt64)
    case negative(Int64)
    case double(Double)
    case text(String)
    case list(PackedParts)
    case record(PackedParts)
}

/// The values of a list or a record, while it is encoded or decoded.
final class PackedParts {
    /// The keys of a record; empty for a list.
    var keys: [String]
    var values: [PackedValue]
    /// The likely index of the next key: types are decoded in the order in which they were encoded.
    private var next = 0

    init(keys: [String] = [], values: [PackedValue] = []) {
        self.keys = keys
        self.values = values
    }

    func put(_ value: PackedValue, _ key: String) {
        keys.append(key)
        values.append(value)
    }

    func value(of key: String) -> PackedValue? {
        var place = next
        for _ in keys.indices {
            if place >= keys.count { place = 0 }
            if keys[place] == key {
                next = place + 1
                return values[place]
            }
            place += 1
        }
        return nil
    }
}

/// Values to bytes.
struct PackedWriter {
    private(set) var bytes = Packed.mark
    private var texts: [String: (text: String, number: Int)] = [:]
    private var textCount = 0
    private var shapes: [[String]: Int] = [:]
    /// The keys of the last record: the elements of a list mostly have one type.
    private var last: (keys: [String], number: Int)?

    mutating func write(_ value: PackedValue) {
        switch value {
        case .null: mark(.null)
        case .bool(let value): mark(value ? .yes : .no)
        case .positive(let number):
            mark(.positive)
            write(number)
        case .negative(let number):
            mark(.negative)
            write(number.magnitude)
        case .double(let number):
            mark(.double)
            withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
        case .text(let text): write(text)
        case .list(let list):
            mark(.list)
            write(UInt64(list.values.count))
            for value in list.values { write(value) }
        case .record(let record):
            writeShape(record.keys)
            for value in record.values { write(value) }
        }
    }

    private mutating func mark(_ tag: Packed.Tag) { bytes.append(tag.rawValue) }

    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func write(_ text: String) {
        // Equal strings may have different bytes.
        if let known = texts[text], known.text.utf8.elementsEqual(text.utf8) {
            mark(.text)
            return write(UInt64(known.number))
        }
        texts[text] = (text, textCount)
        textCount += 1
        mark(.newText)
        write(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func writeShape(_ keys: [String]) {
        let known = last?.keys == keys ? last?.number : shapes[keys]
        last = (keys, known ?? shapes.count)
        if let known {
            mark(.record)
            return write(UInt64(known))
        }
        shapes[keys] = shapes.count
        mark(.newRecord)
        write(UInt64(keys.count))
        for key in keys { write(key) }
    }
}

/// Bytes to values; reading ends for any bytes.
struct PackedReader {
    let bytes: [UInt8]
    private var place = 0
    private var depth = 0
    private var texts: [String] = []
    private var shapes: [[String]] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func read() throws -> PackedValue {
        guard Packed.isPacked(bytes) else { throw Packed.damage("these are not packed values") }
        place = Packed.mark.count
        let value = try readValue()
        guard place == bytes.count else { throw Packed.damage("there is something after the last value") }
        return value
    }

    private mutating func readValue() throws -> PackedValue {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Packed.deepest else { throw Packed.damage("values are nested too deep") }
        guard let tag = Packed.Tag(rawValue: try readByte()) else {
            throw Packed.damage("there is no such tag")
        }
        switch tag {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .positive: return .positive(try readNumber())
        case .negative:
            guard let number = Int64(exactly: -Int128(try readNumber())) else {
                throw Packed.damage("a number is too low")
            }
            return .negative(number)
        case .double:
            var bits: UInt64 = 0
            for shift in 0..<8 { bits |= UInt64(try readByte()) << UInt64(8 * shift) }
            return .double(Double(bitPattern: bits))
        case .newText, .text: return .text(try readText(tag))
        case .list: return .list(PackedParts(values: try readValues(try readCount())))
        case .newRecord, .record:
            let keys = try readShape(isNew: tag == .newRecord)
            return .record(PackedParts(keys: keys, values: try readValues(keys.count)))
        }
    }

    private mutating func readByte() throws -> UInt8 {
        guard place < bytes.count else { throw Packed.damage("the end is missing") }
        defer { place += 1 }
        return bytes[place]
    }

    private mutating func readNumber() throws -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            let byte = try readByte()
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw Packed.damage("a number is too long")
    }

    /// A count of values or bytes, at most the number of bytes that are left: each takes at least one.
    private mutating func readCount() throws -> Int {
        guard let count = Int(exactly: try readNumber()), count <= bytes.count - place else {
            throw Packed.damage("there are fewer values than it says")
        }
        return count
    }

    private mutating func readValues(_ count: Int) throws -> [PackedValue] {
        guard count <= bytes.count - place else { throw Packed.damage("a record is cut off") }
        var values: [PackedValue] = []
        values.reserveCapacity(min(count, 64))
        for _ in 0..<count { values.append(try readValue()) }
        return values
    }

    private mutating func readText(_ tag: Packed.Tag) throws -> String {
        guard tag == .newText else {
            guard let number = Int(exactly: try readNumber()), number < texts.count else {
                throw Packed.damage("no text has such a number")
            }
            return texts[number]
        }
        let count = try readCount()
        let text = String(decoding: bytes[place..<place + count], as: UTF8.self)
        place += count
        texts.append(text)
        return text
    }

    private mutating func readShape(isNew: Bool) throws -> [String] {
        guard isNew else {
            guard let number = Int(exactly: try readNumber()), number < shapes.count else {
                throw Packed.damage("no record has such a number")
            }
            return shapes[number]
        }
        var keys: [String] = []
        for _ in 0..<(try readCount()) {
            guard let tag = Packed.Tag(rawValue: try readByte()), tag == .newText || tag == .text else {
                throw Packed.damage("a key is not a text")
            }
            keys.append(try readText(tag))
        }
        shapes.append(keys)
        return keys
    }
}
