package import LullModel

/// A small strict reader of JSON (RFC 8259) that knows columns, so that a bad line can be pointed at.
package struct JSONLine {
    package struct Member {
        package var key: String
        package var keyColumn: Int
        package var value: JSONValue
        package var valueColumn: Int
    }

    package struct Failure: Error, Equatable {
        package var column: Int
        package var fault: LineProblem.Fault
    }

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    static func value(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
        var reader = JSONLine(bytes)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        try reader.expectEnd()
        return value
    }

    /// The members of the one object on the line, in their order.
    package static func members(_ bytes: [UInt8]) throws(Failure) -> [Member] {
        var reader = JSONLine(bytes)
        reader.skipSpace()
        guard reader.peek == UInt8(ascii: "{") else {
            throw reader.failure(.notAnObject)
        }
        let members = try reader.object(depth: 0)
        try reader.expectEnd()
        return members
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private func failure(_ fault: LineProblem.Fault) -> Failure {
        Failure(column: position + 1, fault: fault)
    }

    private func expected(_ what: String) -> Failure { failure(.notJSON(expected: what)) }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A { position += 1 }
    }

    private mutating func expectEnd() throws(Failure) {
        skipSpace()
        guard peek == nil else { throw expected("the end of the line") }
    }

    private mutating func value(depth: Int) throws(Failure) -> JSONValue {
        guard depth < Limits.manifestDepth else { throw expected("less than \(Limits.manifestDepth) levels") }
        switch peek {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            for member in try object(depth: depth) { members[member.key] = member.value }
            return .object(members)
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object(depth: Int) throws(Failure) -> [Member] {
        guard take("{") else { throw expected("'{'") }
        var members: [Member] = []
        var keys: Set<String> = []
        skipSpace()
        if take("}") { return members }
        repeat {
            skipSpace()
            let keyColumn = position + 1
            guard peek == UInt8(ascii: "\"") else { throw expected("a key in quotation marks") }
            let key = try string()
            guard keys.insert(key).inserted else {
                throw Failure(column: keyColumn, fault: .duplicate(key: key))
            }
            skipSpace()
            guard take(":") else { throw expected("':' after the key") }
            skipSpace()
            let valueColumn = position + 1
            let value = try value(depth: depth + 1)
            members.append(Member(key: key, keyColumn: keyColumn, value: value, valueColumn: valueColumn))
            skipSpace()
        } while take(",")
        guard take("}") else { throw expected("',' or '}'") }
        return members
    }

    private mutating func array(depth: Int) throws(Failure) -> [JSONValue] {
        guard take("[") else { throw expected("'['") }
        var values: [JSONValue] = []
        skipSpace()
        if take("]") { return values }
        repeat {
            skipSpace()
            values.append(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw expected("',' or ']'") }
        return values
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
        guard bytes[position...].starts(with: word.utf8) else { throw expected("a value") }
        position += word.utf8.count
        return value
    }

    private mutating func number() throws(Failure) -> JSONValue {
        let start = position
        let isNegative = take("-")
        guard isNegative || peek.map({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) == true else {
            throw expected("a value")
        }
        let digits = try digits()
        if digits > 1 && bytes[position - digits] == UInt8(ascii: "0") {
            throw expected("a number without a leading 0")
        }
        var isInteger = true
        if take(".") {
            isInteger = false
            _ = try self.digits()
        }
        if take("e") || take("E") {
            isInteger = false
            _ = take("+") || take("-")
            _ = try self.digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .integer(value) }
        guard let value = Double(text), value.isFinite else {
            position = start
            throw expected("a number within the range of a double")
        }
        return .number(value)
    }

    private mutating func digits() throws(Failure) -> Int {
        let start = position
        while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw expected("a digit") }
        return position - start
    }

    private mutating func string() throws(Failure) -> String {
        let start = position
        position += 1
        let plain = position
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            position += 1
        }
        var text = Array(bytes[plain..<position])
        while !take("\"") {
            guard let byte = peek else { throw expected("'\"' at the end of the text") }
            guard byte >= 0x20 else { throw expected("a control character written as \\u00XX") }
            position += 1
            if byte == UInt8(ascii: "\\") {
                text += Array(String(Character(try escape())).utf8)
            } else {
                text.append(byte)
            }
        }
        guard let text = String(validating: text, as: UTF8.self) else {
            throw Failure(column: start + 1, fault: .notUTF8)
        }
        return text
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        guard let byte = peek else { throw expected("an escaped character") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            let first = try hexadecimal()
            if let scalar = Unicode.Scalar(first) { return scalar }
            guard first < 0xDC00, take("\\"), take("u") else {
                throw expected("the second half of a surrogate pair")
            }
            let second = try hexadecimal()
            guard (0xDC00..<0xE000).contains(second),
                let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
            else { throw expected("the second half of a surrogate pair") }
            return scalar
        default:
            position -= 1
            throw expected("one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
        }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt32 {
        guard position + 4 <= bytes.count,
            bytes[position..<position + 4].allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
            let number = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
        else { throw expected("four hexadecimal digits") }
        position += 4
        return number
    }
}
