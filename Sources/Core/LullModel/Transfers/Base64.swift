/// Bytes as text and back (RFC 4648, section 4), for modules without Foundation.
public enum Base64 {
    private static let letters = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    public static func encode(_ bytes: some Collection<UInt8>) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        var group: UInt32 = 0
        var count = 0
        func letter(_ shift: UInt32) -> UInt8 { letters[Int(group >> shift & 63)] }
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            guard count == 3 else { continue }
            out += [letter(18), letter(12), letter(6), letter(0)]
            (group, count) = (0, 0)
        }
        let pad = UInt8(ascii: "=")
        if count == 1 {
            group <<= 16
            out += [letter(18), letter(12), pad, pad]
        } else if count == 2 {
            group <<= 8
            out += [letter(18), letter(12), letter(6), pad]
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// Nil when `text` is not exactly as `encode` writes it.
    public static func decode(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        let padding = digits.suffix(2).count { $0 == UInt8(ascii: "=") }
        var out: [UInt8] = []
        out.reserveCapacity(digits.count / 4 * 3)
        var group: UInt32 = 0
        for (place, digit) in digits.enumerated() {
            let isPadding = place >= digits.count - padding
            guard let value = isPadding ? 0 : value(of: digit) else { return nil }
            group = group << 6 | value
            guard place % 4 == 3 else { continue }
            out += [UInt8(group >> 16 & 255), UInt8(group >> 8 & 255), UInt8(group & 255)]
            group = 0
        }
        out.removeLast(padding)
        return encode(out) == text ? out : nil
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
