/// Text without quotes between brackets that YAML takes for something else: a second colon, a bracket, a comment.
extension SyntaxDiagnosis {
    /// `{ run: echo a: b }`: the failure is at the second colon.
    func colonInBraces() -> Finding? {
        let column = Int(failure.place.column)
        guard line.character(at: failure.place.column) == ":" else { return nil }
        let before = line.characters.prefix(column)
        // From the last bracket or comma to the next.
        let start = before.lastIndex { "{[,".contains($0) }.map { $0 + 1 } ?? 0
        let end = line.characters[column...].firstIndex { "}],".contains($0) } ?? line.characters.count
        let pair = String(line.characters[start..<end]).trimmingSpaces
        guard let colon = pair.firstRange(of: ": ") else { return nil }
        let value = String(pair[colon.upperBound...]).trimmingSpaces
        let word = String(before.reversed().prefix { $0 != " " }.reversed())
        // A known key begins a pair: then the comma is missing. A quote would have to be doubled.
        guard Key(rawValue: word) == nil, !pair.contains(where: { "'\"#".contains($0) }) else { return nil }
        return at(.colonInBraces(remedy: "\(pair[..<colon.lowerBound]): '\(value)'", word: word))
    }

    /// `{ run: echo {a,b} }`, where the failure is at the bracket, and `{ run: grep #include FILE }`, where it is below.
    func signInBrackets() -> Finding? {
        let place = failure.place
        if let sign = line.character(at: place.column), "{[".contains(sign) {
            return quoted(sign, at: Int(place.column), in: line).map { at(.signInBrackets(sign, remedy: $0)) }
        }
        let text = contextLine
        let hash = text.characters.indices.dropFirst().first {
            $0 > Int(failure.contextPlace.column) && text.characters[$0] == "#"
                && text.characters[$0 - 1] == " "
        }
        guard let hash, failure.contextPlace.line < place.line else { return nil }
        // A real comment has no closing bracket in it.
        guard text.characters[hash...].contains(where: { "}]".contains($0) }) else { return nil }
        let span = Span(line: Int(failure.contextPlace.line), column: hash)
        return quoted("#", at: hash, in: text).map { (.signInBrackets("#", remedy: $0), span) }
    }

    /// The pair or item that the sign is in, with its text in quotes; nil if no text comes before the sign.
    private func quoted(_ sign: Character, at column: Int, in text: Text) -> String? {
        let start = text.characters.prefix(column).lastIndex { "{[,".contains($0) }.map { $0 + 1 } ?? 0
        var depth = 0
        let end = text.characters.indices.dropFirst(column).first { index in
            let character = text.characters[index]
            if depth == 0, "}],".contains(character) { return true }
            if "{[".contains(character) { depth += 1 } else if "}]".contains(character) { depth -= 1 }
            return false
        }
        guard let end else { return nil }
        let whole = String(text.characters[start..<end]).trimmingSpaces
        let colon = whole.firstRange(of: ": ")
        let key = colon.map { whole[..<$0.upperBound] } ?? ""
        let value = String(whole[(colon?.upperBound ?? whole.startIndex)...]).trimmingSpaces
        // Text that begins with a quote or a bracket is not meant here, and after a closing bracket a comma is missing.
        guard let first = value.first, first != sign, !"'\"{[}]".contains(first),
            !value.prefix(while: { $0 != sign }).contains(where: { "}]".contains($0) })
        else { return nil }
        return key + "'" + value.replacing("'", with: "''") + "'"
    }
}
