/// Walks through a JSON text without building its values. Malformed text has no value, and never causes a trap.
struct JSONScanner {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Moves from the beginning of a value to the beginning of its member or element of this name.
    mutating func enter(_ step: [UInt8]) -> Bool {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): return enterMember(step)
        case UInt8(ascii: "["): return enterElement(step)
        default: return false
        }
    }

    /// The value at this place.
    mutating func value() -> [UInt8]? {
        skipSpace()
        if current == UInt8(ascii: "\"") { return string() }
        let begin = offset
        guard skipValue() else { return nil }
        return Array(bytes[begin..<offset])
    }

    private mutating func enterMember(_ step: [UInt8]) -> Bool {
        offset += 1
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\""), let key = string() else { return false }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { return false }
            if key == step { return true }
            guard skipValue() else { return false }
            skipSpace()
            guard take(UInt8(ascii: ",")) else { return false }
        }
    }

    private mutating func enterElement(_ step: [UInt8]) -> Bool {
        guard let text = String(validating: step, as: UTF8.self), let index = Int(text), index >= 0,
            String(index) == text
        else { return false }
        offset += 1
        skipSpace()
        if current == UInt8(ascii: "]") { return false }
        for _ in 0..<index {
            guard skipValue() else { return false }
            skipSpace()
            guard take(UInt8(ascii: ",")) else { return false }
        }
        return true
    }

    /// Skips one value. It counts brackets and does not recurse, so depth needs no stack.
    private mutating func skipValue() -> Bool {
        var depth = 0
        repeat {
            skipSpace()
            guard let byte = current else { return false }
            switch byte {
            case UInt8(ascii: "\""):
                guard skipString() else { return false }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return false }
                depth -= 1
                offset += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"):
                guard depth > 0 else { return false }
                offset += 1
            default:
                guard skipScalar() else { return false }
            }
        } while depth > 0
        return true
    }

    private mutating func skipScalar() -> Bool {
        let begin = offset
        while let byte = current {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "E"),
                UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                offset += 1
            default: return offset > begin
            }
        }
        return offset > begin
    }

    private mutating func skipString() -> Bool {
        offset += 1
        while let byte = current {
            offset += 1
            if byte == UInt8(ascii: "\"") { return true }
            if byte == UInt8(ascii: "\\") { offset += 1 }
        }
        return false
    }

    private mutating func string() -> [UInt8]? {
        offset += 1
        var out: [UInt8] = []
        while let byte = current {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return out
            case UInt8(ascii: "\\"):
                guard unescape(into: &out) else { return nil }
            default: out.append(byte)
            }
        }
        return nil
    }

    private mutating func unescape(into out: inout [UInt8]) -> Bool {
        guard let byte = current else { return false }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(byte)
        case UInt8(ascii: "b"): out.append(8)
        case UInt8(ascii: "f"): out.append(12)
        case UInt8(ascii: "n"): out.append(10)
        case UInt8(ascii: "r"): out.append(13)
        case UInt8(ascii: "t"): out.append(9)
        case UInt8(ascii: "u"):
            guard let unit = codeUnit() else { return false }
            out.append(contentsOf: String(scalar(from: unit)).utf8)
        default: return false
        }
        return true
    }

    /// The scalar that begins with this code unit; an unpaired surrogate becomes U+FFFD.
    private mutating func scalar(from unit: UInt16) -> Unicode.Scalar {
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let mark = offset
        if UTF16.isLeadSurrogate(unit), take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")),
            let low = codeUnit(),
            UTF16.isTrailSurrogate(low)
        {
            let value = 0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00)
            return Unicode.Scalar(value) ?? "\u{FFFD}"
        }
        offset = mark
        return "\u{FFFD}"
    }

    private mutating func codeUnit() -> UInt16? {
        guard bytes.count - offset >= 4 else { return nil }
        var unit: UInt16 = 0
        for byte in bytes[offset..<offset + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        offset += 4
        return unit
    }

    private mutating func skipSpace() {
        while let byte = current, byte == 32 || byte == 10 || byte == 13 || byte == 9 { offset += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        offset += 1
        return true
    }
}
