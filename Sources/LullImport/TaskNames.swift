/// Names for tasks, made of what they run: `/usr/local/bin/backup.sh --all` becomes `backup_sh`.
///
/// The same commands in the same order get the same names. Of two commands with the same program the second is told apart
/// by its first argument, and then by a number.
struct TaskNames {
    private var taken: Set<String> = []
    private static let longest = 60

    mutating func name(for command: String) -> String {
        var words = Self.words(of: command)
        // `restic backup`, but not `backup.sh full`: a program that does many things says which.
        if words.count > 1, Self.isVerb(words[1]), !words[0].contains(".") {
            words[0] += "_" + words.remove(at: 1)
        }
        let first = Self.slug(words.first ?? "")
        var candidates = [first.isEmpty ? "command" : first]
        if let second = words.dropFirst().map(Self.slug).first(where: { !$0.isEmpty && $0 != first }) {
            candidates.append(String((candidates[0] + "_" + second).prefix(Self.longest)))
        }
        return unique(candidates)
    }

    /// `name` as it is, or with a number where it is taken.
    mutating func unique(_ candidates: [String]) -> String {
        let stem = candidates.last ?? "command"
        let free =
            candidates.first { !taken.contains($0) }
            ?? (2...).lazy.map { "\(stem)_\($0)" }.first { !taken.contains($0) }
        let name = free ?? stem
        taken.insert(name)
        return name
    }

    /// Letters and digits, and `_` for everything between them.
    static func slug(_ text: String) -> String {
        var slug = ""
        for byte in text.utf8.prefix(200) {
            let character = Character(Unicode.Scalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber {
                slug.append(character.lowercased())
            } else if !slug.isEmpty, slug.last != "_" {
                slug.append("_")
            }
        }
        slug = String(slug.prefix(longest))
        while slug.last == "_" { slug.removeLast() }
        return slug
    }

    private static func isVerb(_ word: String) -> Bool {
        (2...20).contains(word.utf8.count)
            && word.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-")
            }
    }

    /// What stands in front of a program without being what is run.
    private static let wrappers: Set<String> = [
        "sudo", "doas", "nice", "ionice", "chrt", "flock", "timeout", "exec", "env", "time", "chronic",
        "setsid",
        "nohup", "command", "stdbuf", "cronic", "systemd-cat", "eatmydata", "caffeinate", "run-one", "if",
        "then",
        "{", "(", "!",
    ]
    /// What runs the file that is named after it.
    private static let interpreters: Set<String> = [
        "sh", "bash", "dash", "zsh", "ksh", "python", "python2", "python3", "perl", "ruby", "node", "php",
        "java",
        "lua", "Rscript", "run-parts", "docker", "podman", "make",
    ]
    /// What only prepares the ground for the next command, behind `&&`, `||` or `;`.
    private static let preludes: Set<String> = [
        "cd", "test", "[", "[[", "export", ".", "source", "umask", "sleep", "set", "ulimit", "command",
    ]

    /// The name of the program that is meant, then its arguments that are no options.
    static func words(of command: String) -> [String] {
        let parts = simpleCommands(of: command)
        let chosen =
            parts.first { part in part.first.map { !preludes.contains(base($0)) } ?? false } ?? parts.first
            ?? []
        guard let program = chosen.first else { return [] }
        let arguments = chosen.dropFirst().filter { !$0.hasPrefix("-") }
        let name = base(program)
        if interpreters.contains(name), let file = arguments.first, file.first?.isNumber != true {
            return [base(file)] + arguments.dropFirst()
        }
        return [name] + arguments
    }

    /// The words of each command of the line, without what is put in front of programs; quotes are taken off.
    private static func simpleCommands(of command: String) -> [[String]] {
        var parts: [[String]] = [[]]
        var isSkipping = false
        for word in shellWords(of: command) {
            if ["&&", "||", ";", "|", "&", "\n"].contains(word) {
                parts.append([])
                isSkipping = false
                continue
            }
            if parts[parts.count - 1].isEmpty {
                // Behind a wrapper its options, their numbers and its lock's file are passed over too.
                if wrappers.contains(base(word)) || isAssignment(word) {
                    isSkipping = isSkipping || wrappers.contains(base(word))
                    continue
                }
                if isSkipping, word.hasPrefix("-") || word.first?.isNumber == true || isLock(word) {
                    continue
                }
            }
            parts[parts.count - 1].append(word)
        }
        return parts.filter { !$0.isEmpty }
    }

    private static func isLock(_ word: String) -> Bool {
        word.hasSuffix(".lock") || word.hasSuffix(".lck") || word.hasSuffix(".pid") || word.contains("/lock/")
    }

    private static func isAssignment(_ word: String) -> Bool {
        guard let equals = word.firstIndex(of: "="), let first = word.first else { return false }
        return first.isLetter && word[..<equals].allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }

    private static func base(_ path: String) -> String {
        String(path.split(separator: "/").last ?? path[...])
    }

    /// Near enough to the shell's for a name.
    private static func shellWords(of command: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        func isOperator(_ character: Character) -> Bool { "&|;\n".contains(character) }
        for character in command.prefix(2000) {
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == ">" || character == "<" {
                break
            } else if character.isWhitespace && character != "\n" {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else if isOperator(character) {
                if !word.isEmpty, !isOperator(word.first ?? " ") {
                    words.append(word)
                    word = ""
                }
                word.append(character)
            } else {
                if let first = word.first, isOperator(first) {
                    words.append(word)
                    word = ""
                }
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
