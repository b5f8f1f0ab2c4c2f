import LullModel

/// A line that asks first whether there is anything to do: `test -x /usr/bin/certbot && certbot -q renew`.
///
/// If the answer is no, the line ends with 1. cron ignores that; for Lull it would be a failure, each time. With `if`
/// the answer no is a success, and a failure of the command stays one. A line that is not surely of this form stays as
/// it is.
enum GuardedLine {
    private static let questions: Set = ["test", "[", "[[", "which", "type", "hash"]

    /// The same line with `if`; nil: it is not of this form.
    static func withIf(_ line: String) -> String? {
        guard let parts = parts(of: line) else { return nil }
        let guards = parts.prefix(while: isQuestion)
        let rest = parts.dropFirst(guards.count).joined(separator: " && ")
        guard !guards.isEmpty, !rest.isEmpty else { return nil }
        return "if \(guards.joined(separator: " && ")); then \(rest); fi"
    }

    private static func isQuestion(_ part: String) -> Bool {
        var words = part.split { $0 == " " || $0 == "\t" }.map(String.init)
        if words.first == "!" { words.removeFirst() }
        guard let first = words.first else { return false }
        return questions.contains(first) || words.starts(with: ["command", "-v"])
    }

    /// Words that begin a compound command, and the words that end it.
    private static let compounds = [
        "if": "fi", "{": "}", "for": "done", "while": "done", "until": "done", "case": "esac",
    ]

    /// Whether the text is one such command and nothing behind it: `if …; then …; fi`.
    private static func isCompound(_ text: Substring) -> Bool {
        // Names are made of as much of a line, and no more.
        guard text.utf8.count < 2000, !text.contains("<<"), !text.contains("#") else { return false }
        let words = ShellWords.split(String(text))
        var open: [String] = []
        var begins = true
        for (index, word) in words.enumerated() {
            if ShellWords.isOperator(word) {
                begins = true
            } else if begins {
                if let end = compounds[word] { open.append(end) }
                if ["fi", "}", "done", "esac"].contains(word) {
                    guard open.popLast() == word else { return false }
                    if open.isEmpty { return index == words.count - 1 }
                }
                begins = compounds[word] != nil || ["then", "else", "elif", "do", "!"].contains(word)
            }
            if open.isEmpty { return false }
        }
        return false
    }

    /// The commands that `&&` joins; nil where any other grammar of the shell stands between them.
    private static func parts(of line: String) -> [String]? {
        var parts = [""]
        var rest = line[...]
        var quote: Character?
        var depth = 0
        while true {
            if parts.count > 1, parts.last?.trimmed.isEmpty == true, isCompound(rest) {
                parts[parts.count - 1] = String(rest)
                break
            }
            guard let character = rest.popFirst() else { break }
            parts[parts.count - 1].append(character)
            if character == "\\", quote != "'" {
                if let next = rest.popFirst() { parts[parts.count - 1].append(next) }
            } else if let open = quote {
                if character == open { quote = nil }
            } else if "'\"`".contains(character) {
                quote = character
            } else if character == "(" {
                depth += 1
            } else if character == ")" {
                depth -= 1
            } else if depth == 0, "{};#\n<".contains(character) {
                return nil
            } else if depth == 0, character == "|", rest.first == "|" {
                return nil
            } else if depth == 0, character == "&", parts.last?.dropLast().last != ">", rest.first != ">" {
                guard rest.popFirst() == "&" else { return nil }
                parts[parts.count - 1].removeLast()
                parts.append("")
            }
        }
        guard quote == nil, depth == 0 else { return nil }
        let trimmed = parts.map { $0.trimmed }
        return trimmed.contains("") ? nil : trimmed
    }
}

extension String {
    fileprivate var trimmed: String {
        let start = drop { $0 == " " || $0 == "\t" }
        return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }
}
