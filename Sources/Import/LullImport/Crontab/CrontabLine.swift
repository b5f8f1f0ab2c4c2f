/// A line of a crontab, parsed as far as possible without knowing whether it has a user's column.
enum CrontabLine: Equatable {
    case blank
    case comment(String)
    /// `NAME = value`: for the lines below it.
    case variable(name: String, value: String)
    /// A schedule, and what follows it, to the line's last blank.
    case job(schedule: String, rest: String)
    case broken(Fault)

    enum Fault: Equatable {
        case tooLong
        case notUTF8
        /// A character that can't be in a command line.
        case control
        case tooFewFields
        case noCommand
        /// `A = "x" y`, and a quote that never ends.
        case quotes
        /// `%x`: only input, and no command.
        case emptyCommand

        /// Whether cron finds the fault, too, and so does not run the line.
        var isCrons: Bool { self == .tooFewFields || self == .noCommand || self == .quotes }

        var message: String {
            switch self {
            case .tooLong: "the line is longer than \(CrontabFile.lineLimit) bytes"
            case .notUTF8: "the line is not UTF-8, as a manifest is"
            case .control: "the line holds a control character"
            case .tooFewFields: "this is neither five fields and a command, nor a variable, nor a comment"
            case .noCommand: "the line has a schedule but no command"
            case .quotes: "a setting's value begins with a quote that does not end the line"
            case .emptyCommand:
                "there is nothing before the `%`, so cron runs an empty command, `sh -c ''`, which does nothing"
            }
        }

        var fix: String {
            switch self {
            case .tooLong, .control: "put the command into a script, and have the line call that"
            case .notUTF8:
                "convert the file to UTF-8 with `iconv -f latin1 -t utf8`, or put the command into a script"
            case .tooFewFields: "cron ignores it too: correct it, or take it out"
            case .quotes: "put the whole value into quotes, without such a quote inside, or use none"
            case .noCommand: "write the command after the fields, or take the line out"
            case .emptyCommand:
                "write the command before the `%`, or `\\%` for a per cent sign, or take the line out"
            }
        }
    }

    /// `cron`: the cron whose rules unquote values; Debian's unquotes them twice.
    init(_ bytes: some Collection<UInt8>, by cron: CronKind = .debian) {
        guard bytes.count <= CrontabFile.lineLimit else {
            self = .broken(.tooLong)
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let repaired = String(decoding: bytes, as: UTF8.self)
            self =
                repaired.drop(while: Self.isSpace).first == "#"
                ? .comment(Self.words(of: repaired[...])) : .broken(.notUTF8)
            return
        }
        let line = text.drop(while: Self.isSpace)
        let bare = Self.trimmed(line)
        guard let first = bare.first else {
            self = .blank
            return
        }
        if first == "#" {
            self = .comment(Self.words(of: bare))
            return
        }
        self = Self.variable(in: line, by: cron) ?? Self.job(in: line)
        if case .broken = self { return }
        if bare.unicodeScalars.contains(where: { $0 != "\t" && ($0.value < 0x20 || $0.value == 0x7F) }) {
            self = .broken(.control)
        }
    }

    /// The text behind the first `#`.
    private static func words(of comment: Substring) -> String {
        let words = trimmed(comment).dropFirst()
        return String(words.first == " " ? words.dropFirst() : words)
    }

    /// A name, perhaps in quotes, an equals sign, and a value, perhaps in quotes; nil: the line is no such setting.
    private static func variable(in line: Substring, by cron: CronKind) -> CrontabLine? {
        var rest = line
        let name: Substring
        if let quote = rest.first, isQuote(quote) {
            rest = rest.dropFirst()
            guard let end = rest.firstIndex(of: quote) else { return nil }
            name = rest[..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            name = rest.prefix { !$0.isWhitespace && $0 != "=" }
            rest = rest[name.endIndex...]
        }
        rest = rest.drop(while: \.isWhitespace)
        guard rest.first == "=", !name.contains("=") else { return nil }
        let value = rest.dropFirst().drop(while: \.isWhitespace)
        guard let quote = value.first, isQuote(quote) else {
            return .variable(name: String(name), value: String(withoutEnd(value)))
        }
        let inner = value.dropFirst()
        guard let end = inner.firstIndex(of: quote),
            inner[inner.index(after: end)...].allSatisfy(\.isWhitespace)
        else { return .broken(.quotes) }
        var text = inner[..<end]
        if cron == .debian {
            text = withoutEnd(text)
            if let quote = text.first, isQuote(quote), text.count > 1, text.last == quote {
                text = text.dropFirst().dropLast()
            }
        }
        return .variable(name: String(name), value: String(text))
    }

    private static func isQuote(_ character: Character) -> Bool { character == "'" || character == "\"" }

    private static func withoutEnd(_ text: Substring) -> Substring {
        var text = text
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }

    private static func job(in line: Substring) -> CrontabLine {
        var rest = line
        // cronie and SUSE: do not log this job's starts.
        if rest.first == "-" { rest = rest.dropFirst() }
        var fields: [Substring] = []
        let count = rest.first == "@" ? 1 : 5
        while fields.count < count, !rest.isEmpty {
            let field = rest.prefix { !isSpace($0) }
            fields.append(field)
            rest = rest[field.endIndex...].drop(while: isSpace)
        }
        // A schedule begins with a digit or one of few characters; a word is something else that went wrong.
        guard fields.count == count, fields.first?.first.map({ "*~@0123456789".contains($0) }) == true else {
            return .broken(.tooFewFields)
        }
        // The line end of a Windows editor; `CrontabReader` reports it.
        while rest.last == "\r" { rest.removeLast() }
        guard !rest.isEmpty else { return .broken(.noCommand) }
        return .job(schedule: fields.joined(separator: " "), rest: String(rest))
    }

    /// The first word, and what follows it.
    static func split(_ text: String) -> (first: String, rest: String) {
        let first = text.prefix { !isSpace($0) }
        return (String(first), String(text[first.endIndex...].drop(while: isSpace)))
    }

    private static func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) || last == "\r" { text.removeLast() }
        return text
    }
}
