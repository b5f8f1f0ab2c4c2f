/// A value as a manifest has it: on one line where that fits, and never so that YAML reads another value.
indirect enum YAMLText: Sendable, Equatable {
    /// A word that YAML and the manifest can't misread, such as `never` or `10m`.
    case word(String)
    case text(String)
    case list([YAMLText])
    case mapping([(key: String, value: YAMLText)])

    static func == (a: YAMLText, b: YAMLText) -> Bool { a.line == b.line }

    /// The width beyond which a line is broken, if it can be.
    static let width = 100

    var line: String {
        switch self {
        case .word(let word): word
        case .text(let text): Self.quoted(text)
        case .list(let items): "[" + items.map(\.line).joined(separator: ", ") + "]"
        case .mapping(let entries):
            entries.isEmpty
                ? "{}"
                : "{ " + entries.map { Self.key($0.key) + ": " + $0.value.line }.joined(separator: ", ")
                    + " }"
        }
    }

    /// The lines of `key: value`, the first of them `indent` deep.
    static func lines(_ key: String, _ value: YAMLText, indent: Int, isOpen: Bool = false) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let line = margin + Self.key(key) + ": " + value.line
        if case .mapping(let entries) = value, !entries.isEmpty, isOpen || line.utf8.count > width {
            return [margin + Self.key(key) + ":"]
                + entries.flatMap { lines($0.key, $0.value, indent: indent + 2) }
        }
        return [line]
    }

    /// A key, which may be a foreign name, such as that of a variable.
    static func key(_ name: String) -> String {
        let isPlain =
            !name.isEmpty && name.utf8.count <= 128
            && name.utf8.allSatisfy { isLetterOrDigit($0) || "_-.".utf8.contains($0) }
            && name.utf8.first.map(isLetterOrDigit) == true
        return isPlain ? name : quoted(name, always: true)
    }

    /// Text that stays text: plain where nothing else can be meant, else in the quotes that need the fewest escapes.
    static func quoted(_ text: String, always: Bool = false) -> String {
        if !always, isPlain(text) { return text }
        let isTame = text.unicodeScalars.allSatisfy { !needsEscape($0) }
        if isTame, text.utf8.contains(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
            !text.utf8.contains(UInt8(ascii: "'"))
        {
            return "'" + text + "'"
        }
        var escaped = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\t": escaped += "\\t"
            case _ where needsEscape(scalar): escaped += escape(scalar)
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped + "\""
    }

    /// A comment's line, without what YAML forbids even there.
    static func comment(_ text: String) -> String {
        var line = "#"
        if let first = text.unicodeScalars.first, first != " ", first != "#" { line += " " }
        for scalar in text.unicodeScalars {
            line.unicodeScalars.append(needsEscape(scalar) && scalar != "\t" ? "\u{FFFD}" : scalar)
        }
        while line.last == " " || line.last == "\t" { line.removeLast() }
        return line
    }

    private static func isPlain(_ text: String) -> Bool {
        // Text that no version of YAML takes for a number, a boolean or anything else: a path, or a name that begins
        // with a letter.
        guard let first = text.utf8.first, text.utf8.count <= 128 else { return false }
        let isPath = first == UInt8(ascii: "/")
        let words = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "nan", "inf"]
        guard isPath || isLetter(first), !words.contains(text.lowercased()) else { return false }
        return text.utf8.allSatisfy { isLetterOrDigit($0) || "_-./".utf8.contains($0) }
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF: true
        default: scalar.properties.generalCategory == .format || scalar.value & 0xFFFE == 0xFFFE
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let (letter, width) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
        return "\\" + letter + String(repeating: "0", count: width - digits.count) + digits
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
