/// A command line's words, near enough to the shell's for a name; operators are words of their own.
enum ShellWords {
    static func split(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var hasWord = false
        var quote: Character?
        var depth = 0
        var isTarget = false
        var rest = text.prefix(2000)
        func isOperator(_ character: Character) -> Bool { "&|;\n".contains(character) }
        func end() {
            // What a redirection names is not what is run.
            if hasWord, !isTarget { words.append(word) }
            if hasWord { isTarget = false }
            (word, hasWord) = ("", false)
        }
        while let character = rest.popFirst() {
            if depth > 0 {
                // `$(…)` is one word, whatever stands in it.
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            } else if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" || character == "`" {
                quote = character
                hasWord = true
            } else if character == "$", rest.first == "(" {
                rest.removeFirst()
                (depth, hasWord) = (1, true)
            } else if character == ">" || character == "<" {
                if word.allSatisfy(\.isNumber) { (word, hasWord) = ("", false) }
                end()
                isTarget = true
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
        return words
    }

    static func isOperator(_ word: String) -> Bool {
        ["&&", "||", ";", ";;", "|", "&", "\n"].contains(word)
    }
}
