extension SyntaxDiagnosis {
    /// A line and its parts, as a person sees them.
    struct Text {
        /// Columns count Unicode scalars, and so do these.
        let characters: [Character]

        init(_ line: String) { characters = line.unicodeScalars.map(Character.init) }

        var indentation: String { String(characters.prefix { $0 == " " || $0 == "\t" }) }
        var indent: Int { characters.prefix { $0 == " " }.count }
        var isBlank: Bool {
            guard let first = characters.first(where: { $0 != " " && $0 != "\t" }) else { return true }
            return first == "#"
        }
        /// Without the indentation and without spaces at the end.
        var trimmed: String {
            String(characters).trimmingSpaces
        }
        /// The colon's place in `trimmed`.
        var colon: Int {
            trimmed.firstIndex(of: ":").map { trimmed.distance(from: trimmed.startIndex, to: $0) } ?? 0
        }
        /// `word:value`.
        var isKeyWithoutSpace: Bool {
            let text = trimmed
            guard let colon = text.firstIndex(of: ":"), !text.contains(" ") else { return false }
            return text.index(after: colon) < text.endIndex
                && text[..<colon].allSatisfy { $0.isLetter || $0 == "_" }
        }

        /// A word without a colon behind it, as a task's name whose colon was forgotten.
        var isName: Bool {
            !trimmed.isEmpty
                && trimmed.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
        }

        /// A character that stands in place of a space, a quote or a colon of YAML, and its column.
        var lookalike: (problem: LookalikeProblem, column: Int)? {
            var before: Character?
            for (column, character) in characters.enumerated() {
                if let (problem, _) = LookalikeProblem.first(in: String(character), showsText: false) {
                    switch problem.meant {
                    case " " where before == nil || before == ":" || before == "-": return (problem, column)
                    case ":" where before?.isLetter == true: return (problem, column)
                    case "\"" where before == ":" || before == "-", "'" where before == ":" || before == "-":
                        return (problem, column)
                    default: break
                    }
                }
                if character != " " { before = character }
            }
            return nil
        }

        func character(at column: UInt32) -> Character? {
            characters.indices.contains(Int(column)) ? characters[Int(column)] : nil
        }

        /// From a column to the line's end, without a comment and spaces before it.
        func word(from column: Int) -> String {
            let text = String(characters.dropFirst(column))
            let end = text.firstRange(of: " #")?.lowerBound ?? text.endIndex
            var word = text[..<end]
            while word.last == " " { word.removeLast() }
            return String(word)
        }
    }
}

extension String {
    /// Without spaces and tabs at both ends.
    var trimmingSpaces: String {
        var rest = drop { $0 == " " || $0 == "\t" }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
