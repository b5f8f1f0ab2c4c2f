/// A piece of a line for a shell, as POSIX divides it, with what bash adds.
enum ShellToken: Equatable {
    /// As it reads without its quotes; plain: nothing in it is a variable, a substitution or a pattern.
    case word(String, isPlain: Bool, isQuoted: Bool)
    /// `;`, `&&`, `(`, or a line's end.
    case operation(String)
    /// The next word is the file that is written, or else read; nil if it names no file.
    case redirection(isOutput: Bool?)
    /// From here on the line can't be read.
    case unreadable

    /// The text of a plain word; nil for any other token.
    var plain: String? {
        if case .word(let text, true, _) = self { text } else { nil }
    }

    /// The text of a plain word without quotes, which may be a keyword of the shell; nil for any other token.
    var keyword: String? {
        if case .word(let text, true, false) = self { text } else { nil }
    }

    static func read(_ text: String) -> [ShellToken] {
        var reader = TokenReader(rest: text[...])
        return reader.read()
    }
}

private struct TokenReader {
    var rest: Substring
    private var tokens: [ShellToken] = []
    private var word = ""
    private var (hasWord, isPlain, isQuoted) = (false, true, false)

    init(rest: Substring) { self.rest = rest }

    mutating func read() -> [ShellToken] {
        while let character = rest.popFirst() {
            switch character {
            case " ", "\t", "\r": end()
            case "\n", "\r\n": operation("\n")
            case "#" where !hasWord: rest = rest.drop { !$0.isNewline }
            case "\\":
                guard let next = rest.popFirst() else { break }
                if !next.isNewline { add(next, isQuoted: true) }
            case "'", "\"", "`", "$":
                guard quoted(character) else { return tokens + [.unreadable] }
            case "<", ">":
                guard redirection(character) else { return tokens + [.unreadable] }
            case ";", "&", "|": operators(character)
            case "(", ")": operation(String(character))
            default: add(character, isQuoted: false)
            }
        }
        end()
        return tokens
    }

    private mutating func add(_ character: Character, isQuoted: Bool) {
        // Patterns, a home folder, and braces that make several words; `{` alone opens a group.
        if !isQuoted, "*?~".contains(character) { isPlain = false }
        word.append(character)
        hasWord = true
        self.isQuoted = self.isQuoted || isQuoted
    }

    private mutating func end() {
        guard hasWord else { return }
        let alone: Set<String> = ["[", "]", "[[", "]]", "{", "}"]
        if !isQuoted, !alone.contains(word), word.contains(where: { "[]{}".contains($0) }) { isPlain = false }
        tokens.append(.word(word, isPlain: isPlain, isQuoted: isQuoted))
        (word, hasWord, isPlain, isQuoted) = ("", false, true, false)
    }

    private mutating func operation(_ text: String) {
        end()
        tokens.append(.operation(text))
    }

    private mutating func operators(_ first: Character) {
        // `&> file` and `&>> file`
        if first == "&", rest.first == ">" { return end() }
        var text = String(first)
        if let next = rest.first, next == first || (first, next) == ("|", "&") || (first, next) == (";", "&")
        {
            text.append(rest.removeFirst())
        }
        operation(text)
    }

    private mutating func redirection(_ first: Character) -> Bool {
        // `2>`: the number belongs to it.
        if hasWord, !isQuoted, word.allSatisfy(\.isNumber) { (word, hasWord) = ("", false) }
        if rest.first == "(" {
            rest.removeFirst()
            (hasWord, isPlain) = (true, false)
            return skip(to: ")", opening: "(")
        }
        end()
        var text = String(first)
        while let next = rest.first, "<>&|-".contains(next), text.count < 3 {
            text.append(rest.removeFirst())
            if text == "<<-" { return false }
        }
        // A here-document holds no commands.
        if text == "<<" { return false }
        // `2>&-` and `2>&1` name no file.
        guard !text.hasSuffix("-") else { return true }
        tokens.append(.redirection(isOutput: text == "<<<" ? nil : text.contains(">")))
        return true
    }

    /// Whether the quote or the substitution that begins here ends somewhere.
    private mutating func quoted(_ first: Character) -> Bool {
        hasWord = true
        switch first {
        case "'":
            isQuoted = true
            guard let close = rest.firstIndex(of: "'") else { return false }
            word += rest[..<close]
            rest = rest[rest.index(after: close)...]
            return true
        case "\"":
            isQuoted = true
            while let character = rest.popFirst() {
                if character == "\"" { return true }
                if character == "\\", let next = rest.first, "$`\"\\".contains(next) {
                    word.append(rest.removeFirst())
                } else if character == "$" || character == "`" {
                    guard substitution(character) else { return false }
                } else {
                    word.append(character)
                }
            }
            return false
        default: return substitution(first)
        }
    }

    private mutating func substitution(_ first: Character) -> Bool {
        isPlain = false
        if first == "`" { return skip(to: "`", opening: nil) }
        switch rest.first {
        case "(":
            rest.removeFirst()
            return skip(to: ")", opening: "(")
        case "{":
            rest.removeFirst()
            return skip(to: "}", opening: "{")
        default: return true
        }
    }

    private mutating func skip(to close: Character, opening open: Character?) -> Bool {
        var depth = 1
        var quote: Character?
        while let character = rest.popFirst() {
            if character == "\\", quote != "'" {
                rest = rest.dropFirst()
            } else if let inside = quote {
                if character == inside { quote = nil }
            } else if character == close {
                depth -= 1
                if depth == 0 { return true }
            } else if character == open {
                depth += 1
            } else if character == "'" || character == "\"" {
                quote = character
            }
        }
        return false
    }
}
