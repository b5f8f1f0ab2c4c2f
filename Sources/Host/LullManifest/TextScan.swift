/// Finds the bytes that no manifest may hold, each with its place, before libyaml sees the text.
///
/// libyaml stops at the first such byte and knows only its offset; a person needs line and column, of all of
/// them.
enum TextScan {
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// A file with this many such places is something else than a manifest.
    static let limit = 20

    static func problems(in bytes: [UInt8]) -> [(problem: TextProblem, span: Span)] {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || looksLikeUTF16(bytes) {
            return [(.utf16, Span(line: 0, column: 0))]
        }
        if looksLikeBinary(bytes) { return [(.binary, Span(line: 0, column: 0))] }
        return bytes.withUnsafeBufferPointer(scan)
    }

    /// More than one byte in eight of its beginning is a control character: nobody has typed that by mistake.
    private static func looksLikeBinary(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(4096)
        let controls = head.count { $0 < 0x20 && !(0x09...0x0D).contains($0) }
        return controls > 8 && controls * 8 > head.count
    }

    /// Without a byte order mark: ASCII with a NUL in every other byte.
    private static func looksLikeUTF16(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 4 else { return false }
        return (bytes[0] == 0 && bytes[1] != 0 && bytes[2] == 0 && bytes[3] != 0)
            || (bytes[0] != 0 && bytes[1] == 0 && bytes[2] != 0 && bytes[3] == 0)
    }

    private static func scan(_ bytes: UnsafeBufferPointer<UInt8>) -> [(problem: TextProblem, span: Span)] {
        var found: [(problem: TextProblem, span: Span)] = []
        var line = 0
        var lineStart = 0
        // Bytes of this line that continue a character, and so are no column of their own.
        var continued = 0
        var at = 0
        while at < bytes.count, found.count < limit {
            let byte = bytes[at]
            if byte >= 0x20, byte < 0x7F {
                at += 1
                continue
            }
            if byte == 0x0A || byte == 0x0D {
                at += byte == 0x0D && at + 1 < bytes.count && bytes[at + 1] == 0x0A ? 2 : 1
                line += 1
                (lineStart, continued) = (at, 0)
                continue
            }
            let (length, problem) = character(at, in: bytes)
            if let problem { found.append((problem, Span(line: line, column: at - lineStart - continued))) }
            continued += length - 1
            at += length
        }
        return found
    }

    /// The length of the character that begins at `at`, and its problem.
    private static func character(_ at: Int, in bytes: UnsafeBufferPointer<UInt8>) -> (Int, TextProblem?) {
        let byte = bytes[at]
        if byte < 0x80 { return (1, byte == 0x09 ? nil : .control(UInt32(byte))) }
        let invalid = (1, TextProblem.notUTF8(byte: byte, offset: at))
        let length: Int
        switch byte {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF: length = 3
        case 0xF0...0xF4: length = 4
        default: return invalid
        }
        guard at + length <= bytes.count else { return invalid }
        var code = UInt32(byte) & (0x7F >> UInt32(length))
        for index in at + 1..<at + length {
            guard bytes[index] & 0xC0 == 0x80 else { return invalid }
            code = code << 6 | UInt32(bytes[index] & 0x3F)
        }
        // Overlong forms, surrogates and numbers beyond Unicode.
        let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
        guard code >= least, Unicode.Scalar(code) != nil else { return invalid }
        return (length, problem(with: code))
    }

    private static func problem(with code: UInt32) -> TextProblem? {
        switch code {
        case 0x85, 0x2028, 0x2029: .lineSeparator(code)
        case 0x80..<0xA0: .control(code)
        case 0xFEFF, 0xFFFE, 0xFFFF: .notACharacter(code)
        default: nil
        }
    }
}
