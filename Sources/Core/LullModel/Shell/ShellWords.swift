/// The words of a command line, close enough to the shell's to find a program's name; operators are words of their own.
public enum ShellWords {
    public static func split(_ text: String) -> [String] { read(text).words }

    /// The first file that the line writes; devices such as /dev/null do not count.
    public static func target(in text: String) -> String? {
        read(text).targets.first { !$0.hasPrefix("/dev/") && !$0.allSatisfy(\.isNumber) }
    }

    private static func read(_ text: String) -> (words: [String], targets: [String]) {
        var words: [String] = []
        var targets: [String] = []
        var isOutput = false
        var word = ""
        var hasWord = false
        var quote: Character?
        var depth = 0
        var isSubstituted = false
        var isTarget = false
        var rest = text.prefix(2000)
        func isOperator(_ character: Character) -> Bool { "&|;\n".contains(character) }
        func end() {
            // The target of a redirection is not part of the command.
            if hasWord, !isTarget { words.append(word) }
            if hasWord, isTarget, isOutput { targets.append(word) }
            if hasWord { isTarget = false }
            (word, hasWord) = ("", false)
        }
        while let character = rest.popFirst() {
            if depth > 0 {
                // `$(…)` is one word, whatever it contains.
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            } else if isSubstituted {
                isSubstituted = character != "`"
            } else if character == "`" && quote != "'"
                || character == "$" && rest.first == "(" && quote != "'"
            {
                // Its output is not known; `$` stands for it.
                word.append("$")
                hasWord = true
                if character == "`" { isSubstituted = true } else { (depth, _) = (1, rest.removeFirst()) }
            } else if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                hasWord = true
            } else if character == ">" || character == "<" {
                if word.allSatisfy(\.isNumber) { (word, hasWord) = ("", false) }
                end()
                (isTarget, isOutput) = (true, character == ">")
                while let next = rest.first, "&><".contains(next) { rest.removeFirst() }
            } else if character.isWhitespace, character != "\n" {
                end()
            } else if isOperator(character) {
                end()
                isTarget = false
                var operation = String(character)
                while let next = rest.first, next == character, next != "\n" {
                    operation.append(rest.removeFirst())
                }
                words.append(operation)
            } else {
                word.append(character)
                hasWord = true
            }
        }
        end()
        return (words, targets)
    }

    public static func isOperator(_ word: String) -> Bool {
        ["&&", "||", ";", ";;", "|", "&", "\n"].contains(word)
    }
}
