/// A line such as `ExecStart=`: its words, by systemd's rules of quoting.
struct UnitCommand: Equatable {
    enum Fault: Error, Equatable {
        case empty
        case openQuote
        case specifier(String)
    }

    var words: [String] = []
    /// `-`: its failure does not count.
    var mayFail = false
    /// `+`, `!`: with more rights than the unit has.
    var isPrivileged = false
    /// `@`: the program gets another name than its own.
    var hasOwnName = false
    /// Whether `$NAME` in it stands for a variable.
    var expands = true

    init(_ line: String, unit: UnitNames) throws(Fault) {
        var rest = line.unicodeScalars[...]
        while let first = rest.first, "-@:+!".unicodeScalars.contains(first) {
            switch first {
            case "-": mayFail = true
            case "@": hasOwnName = true
            case ":": expands = false
            default: isPrivileged = true
            }
            rest = rest.dropFirst()
        }
        var unit = unit
        if !expands { unit.credentials = nil }
        words = try Self.words(rest, unit)
        // A manifest can't give a program another name.
        if hasOwnName, words.count > 1 { words.remove(at: 1) }
        guard let program = words.first, !program.isEmpty else { throw .empty }
    }

    var hasVariables: Bool { expands && words.dropFirst().contains { $0.contains("$") } }

    /// The text for a shell that does the same as systemd.
    var shellText: String {
        let text = words.enumerated().map { index, word in
            expands && index > 0 ? Self.expanding(word) : Self.quoted(word)
        }.joined(separator: " ")
        return mayFail ? "{ \(text) || true; }" : text
    }

    private static func words(_ text: Substring.UnicodeScalarView, _ unit: UnitNames) throws(Fault)
        -> [String]
    {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var rest = text
        while let scalar = rest.popFirst() {
            if scalar == "\\", let next = rest.popFirst() {
                word = (word ?? .init()) + unescaped(next, &rest)
            } else if let open = quote {
                if scalar == open { quote = nil } else { try append(scalar, to: &word, &rest, unit) }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
                word = word ?? .init()
            } else if scalar == " " || scalar == "\t" {
                if let done = word { words.append(String(done)) }
                word = nil
            } else {
                try append(scalar, to: &word, &rest, unit)
            }
        }
        guard quote == nil else { throw .openQuote }
        if let word { words.append(String(word)) }
        return words
    }

    private static func append(
        _ scalar: Unicode.Scalar, to word: inout String.UnicodeScalarView?,
        _ rest: inout Substring.UnicodeScalarView,
        _ unit: UnitNames
    ) throws(Fault) {
        var more = String.UnicodeScalarView([scalar])
        if scalar == "%", let letter = rest.popFirst() {
            guard let meant = unit.value(of: letter) else { throw .specifier("%\(letter)") }
            more = meant.unicodeScalars
        }
        word = (word ?? .init()) + more
    }

    private static func unescaped(_ scalar: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView)
        -> String.UnicodeScalarView
    {
        let known: [Unicode.Scalar: Unicode.Scalar] = [
            "n": "\n", "t": "\t", "s": " ", "\\": "\\", "\"": "\"", "'": "'", "a": "\u{7}", "r": "\r",
        ]
        if let meant = known[scalar] { return .init([meant]) }
        if scalar == "x", rest.count >= 2, let code = UInt8(String(rest.prefix(2)), radix: 16), code > 0,
            code < 0x80
        {
            rest = rest.dropFirst(2)
            return .init([Unicode.Scalar(code)])
        }
        return .init(["\\", scalar])
    }

    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || $0.properties.numericType != nil
                        || "_-./=:,@%+".unicodeScalars.contains($0))
            }
        if isPlain { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }

    /// `$NAME` alone becomes as many words as it holds, `${NAME}` stays one, `$$` is a dollar.
    private static func expanding(_ word: String) -> String {
        guard word.contains("$") else { return quoted(word) }
        if word.hasPrefix("$"), isName(word.dropFirst()) { return word }
        var text = "\""
        var rest = word[...]
        while let character = rest.popFirst() {
            if character == "$" {
                if rest.first == "$" {
                    rest.removeFirst()
                    text += "\\$"
                } else if rest.first == "{", let end = rest.firstIndex(of: "}"),
                    isName(rest[..<end].dropFirst())
                {
                    text += "$"
                } else {
                    text += "\\$"
                }
            } else {
                if "\"\\`".contains(character) { text += "\\" }
                text.append(character)
            }
        }
        return text + "\""
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first == UInt8(ascii: "_") || first | 0x20 >= UInt8(ascii: "a")
        else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
    }
}

/// The values of specifiers (`%` and a letter) in a unit, as far as its files tell.
struct UnitNames {
    var name: String
    var user: String?
    /// The user's home folder.
    var home: String?
    /// The machine's host name.
    var host: String?
    /// The text that stands for the folder of credentials; nil: there is none.
    var credentials: String?

    static let folderOfCredentials = "${CREDENTIALS_DIRECTORY}"

    func value(of letter: Unicode.Scalar) -> String? {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
        let parts = stem.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        switch letter {
        case "%": return "%"
        case "n": return name
        case "N": return stem
        case "p": return parts[0]
        case "i", "I": return parts.count > 1 && !parts[1].contains("\\") ? parts[1] : nil
        case "u": return user
        case "U": return user == "root" ? "0" : nil
        case "h": return home ?? (user == "root" ? "/root" : nil)
        case "H": return host
        case "l": return host.flatMap { $0.split(separator: ".").first.map(String.init) }
        case "t": return user == "root" ? "/run" : nil
        case "S": return user == "root" ? "/var/lib" : nil
        case "C": return user == "root" ? "/var/cache" : nil
        case "L": return user == "root" ? "/var/log" : nil
        case "d": return credentials
        case "T": return "/tmp"
        case "V": return "/var/tmp"
        default: return nil
        }
    }
}
