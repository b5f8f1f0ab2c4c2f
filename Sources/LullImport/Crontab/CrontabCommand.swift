/// The sixth field: what goes to the shell, and what to its standard input.
struct CrontabCommand: Equatable {
    var command: String
    /// Nil: nothing to read.
    var input: String?

    /// The first `%` ends the command, the others are line ends in the input; `\%` is a `%`.
    init(_ field: String) {
        var command = String.UnicodeScalarView()
        var rest = field.unicodeScalars[...]
        var isEscaped = false
        var hasInput = false
        while let character = rest.popFirst() {
            if isEscaped {
                isEscaped = false
                if character == "%" { command.removeLast() }
                command.append(character)
            } else if character == "%" {
                hasInput = true
                break
            } else {
                isEscaped = character == "\\"
                command.append(character)
            }
        }
        while command.last == " " || command.last == "\t" { command.removeLast() }
        self.command = String(command)
        // cron starts nobody to write nothing.
        if hasInput, !rest.isEmpty { input = Self.input(rest) }
    }

    private static func input(_ field: Substring.UnicodeScalarView) -> String {
        var input = String.UnicodeScalarView()
        var isEscaped = false
        for character in field {
            if isEscaped, character != "%" { input.append("\\") }
            let read = !isEscaped && character == "%" ? "\n" : character
            isEscaped = read == "\\"
            if !isEscaped { input.append(read) }
        }
        if isEscaped { input.append("\\") }
        // cron puts a line end behind the last line that has none.
        if input.last != "\n" { input.append("\n") }
        return String(input)
    }
}
