extension SyntaxDiagnosis {
    /// `run: [ -x /p ] && /p`: a value that begins like a list, a mapping or a quoted text goes on after its end.
    func textBehindValue() -> Finding? {
        let text = line.characters
        let place = Int(failure.place.column)
        // The last pair before the failure: in braces others may come before it.
        let colons = text.indices.prefix(place).filter { text[$0] == ":" && text[($0 + 1)...].first == " " }
        guard let colon = colons.last, let start = text[(colon + 1)...].firstIndex(where: { $0 != " " }),
            let end = Self.end(of: text[start...])
        else { return nil }
        let key = text[..<colon].reversed().prefix { $0.isLetter || $0.isNumber || "_-.".contains($0) }
            .reversed()
        let behind = text[end...].firstIndex { $0 != " " } ?? text.count
        guard !key.isEmpty, behind < text.count, !"#,}]".contains(text[behind]), place >= behind else {
            return nil
        }
        // A quoted text with another behind it has its own remedy.
        guard !"'\"".contains(text[start]) || "&|>*!%@`".contains(text[behind]) else { return nil }
        let isInBraces = text[..<colon].contains("{")
        let close = isInBraces ? Self.end(ofPair: text[behind...]) : text.count
        let value = String(text[start..<close]).trimmingSpaces
        guard value.count <= 200 else { return nil }
        return (
            .behindValue(
                text[end - 1], remedy: "\(String(key)): '\(value.replacing("'", with: "''"))'"),
            Span(line: Int(failure.place.line), column: behind, count: start + value.count - behind)
        )
    }

    /// The index after the character that closes the first one; nil if none does.
    private static func end(of text: ArraySlice<Character>) -> Int? {
        let ends: [Character: Character] = ["[": "]", "{": "}", "'": "'", "\"": "\""]
        guard let open = text.first, let close = ends[open] else { return nil }
        var depth = 1
        for index in text.indices.dropFirst() {
            if text[index] == close { depth -= 1 } else if text[index] == open { depth += 1 }
            if depth == 0 { return index + 1 }
        }
        return nil
    }

    /// The end of a pair in braces.
    private static func end(ofPair text: ArraySlice<Character>) -> Int {
        var depth = 0
        for index in text.indices {
            if "{[".contains(text[index]) { depth += 1 }
            if "}]".contains(text[index]) { depth -= 1 }
            if depth < 0 { return index }
        }
        return text.endIndex
    }
}
