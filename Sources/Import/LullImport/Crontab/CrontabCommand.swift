/// The sixth field: the command for the shell, and its standard input.
struct CrontabCommand: Equatable {
    var command: String
    /// Nil: nothing to read.
    var input: String?

    /// Whether a `%` cut the command off within a quote, so that no shell can read it.
    var isCutInQuote = false
    /// Whether a `%` cut off the format of `date`, as in `date +%F`.
    var isCutInDate = false

    /// The first `%` ends the command, the others are line ends in the input; `\%` is a `%`, and for Debian's cron `\\` a `\`.
    init(_ field: String, by cron: CronKind = .debian) {
        var command = String.UnicodeScalarView()
        var rest = field.unicodeScalars[...]
        var isEscaped = false
        var hasInput = false
        while let character = rest.popFirst() {
            if isEscaped {
                isEscaped = false
                if character == "%" || cron == .debian && character == "\\" { command.removeLast() }
                command.append(character)
            } else if character == "%" {
                hasInput = true
                break
            } else {
                isEscaped = character == "\\"
                command.append(character)
            }
        }
        // A blank behind a `\` is no trailing one.
        while let last = command.last, last == " " || last == "\t", command.dropLast().last != "\\" {
            command.removeLast()
        }
        self.command = String(command)
        isCutInQuote = hasInput && Self.endsInQuote(command)
        isCutInDate = hasInput && self.command.contains(/\bdate\b[^|;&]*\s\+[^\s]*$/)
        // cron starts no process to write an empty input.
        if hasInput, !rest.isEmpty { input = Self.input(rest) }
    }

    private static func endsInQuote(_ command: String.UnicodeScalarView) -> Bool {
        var quote: Unicode.Scalar?
        var isEscaped = false
        for character in command {
            if isEscaped {
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" || character == "`" {
                quote = character
            }
        }
        return quote != nil
    }

    private static func input(_ field: Substring.UnicodeScalarView) -> String {
        var input = String.UnicodeScalarView()
        var isEscaped = false
        // cron puts a line end behind the last line that has none, unless all of that is a `\`.
        var needsLineEnd = false
        for character in field {
            if isEscaped, character != "%" { input.append("\\") }
            let read = !isEscaped && character == "%" ? "\n" : character
            isEscaped = read == "\\"
            guard !isEscaped else { continue }
            input.append(read)
            needsLineEnd = read != "\n"
        }
        if isEscaped { input.append("\\") }
        if needsLineEnd { input.append("\n") }
        return String(input)
    }
}
