/// Names for the tasks of an app, made of what they run: `/usr/local/bin/backup.sh --all` becomes `backup`.
///
/// A program that can do anything gives no name alone: a short comment above the line does, else its arguments. The
/// same commands in the same order get the same names. If two commands have the same program, the first argument tells
/// the second one apart, and then a number.
struct TaskNames {
    private var taken: Set<String> = []
    private static let longest = 60

    mutating func name(for command: String) -> String { unique(Self.candidates(for: command)) }

    /// `comment`: the comment above the line, if it is about this line alone.
    static func candidates(for text: String, comment: String? = nil) -> [String] {
        let command = CommandName(text)
        let generic = command.generic.candidates
        if !generic.isEmpty {
            let title = command.generic.isGeneric ? comment.flatMap(NameLabel.comment) : nil
            return [title].compactMap(\.self) + generic
        }
        var words = command.words
        // `restic backup`, but not `backup.sh full`: a program that does many things says which.
        if !command.isScript,
            let verb = words.indices.dropFirst().prefix(2).first(where: { isVerb(words[$0]) })
        {
            words[0] += "_" + words.remove(at: verb)
        }
        let first = slug(words.first ?? "")
        var candidates = [first.isEmpty ? "command" : first]
        if let second = words.dropFirst().map(slug).first(where: { !$0.isEmpty && $0 != first }) {
            candidates.append(String((candidates[0] + "_" + second).prefix(longest)))
        }
        return candidates
    }

    /// The first that is free, or the last with a number.
    mutating func unique(_ candidates: [String]) -> String {
        let stem = candidates.last ?? "command"
        let free =
            candidates.first { !taken.contains($0) }
            ?? (2...).lazy.map { "\(stem)_\($0)" }.first { !taken.contains($0) }
        let name = free ?? stem
        taken.insert(name)
        return name
    }

    /// Keeps a name from being given again.
    mutating func reserve(_ name: String) { taken.insert(name) }

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
}
