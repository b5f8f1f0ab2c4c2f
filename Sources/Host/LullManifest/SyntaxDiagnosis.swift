/// libyaml's failure and the lines around it → the mistake that a person made.
///
/// libyaml names the place where reading could not go on. The mistake is often before it: the quote that was
/// opened, the bracket that was not closed, the colon without its space.
struct SyntaxDiagnosis {
    typealias Finding = (problem: SyntaxProblem, span: Span)

    let failure: SyntaxFailure
    let line: Text
    let contextLine: Text
    private let source: [UInt8]

    init(_ failure: SyntaxFailure, source: [UInt8]) {
        self.failure = failure
        self.source = source
        var lines = SourceLines(source)
        let context = lines.range(ofLine: Int(failure.contextPlace.line))
        contextLine = Text(lines.text(context.prefix(4096)))
        line = Text(lines.text(lines.range(ofLine: Int(failure.place.line)).prefix(4096)))
    }

    /// One finding, or one for each line that a tab indents.
    func findings() -> [Finding] {
        let tabs = tabs()
        guard tabs.isEmpty else { return tabs }
        let finding = finding()
        return [cronLine(behind: finding) ?? slip(behind: finding) ?? finding]
    }

    /// Five fields of cron and a command, pasted as they were.
    private func cronLine(behind finding: Finding) -> Finding? {
        switch finding.problem {
        case .alias, .noColon, .deeperThanValue, .indentation, .firstCharacter, .spaceAfterColon,
            .colonInValue:
            break
        default: return nil
        }
        let number = Int(finding.span.start.line)
        var lines = SourceLines(source)
        let text = Text(lines.text(lines.range(ofLine: number).prefix(4096)))
        let words = text.trimmed.split { $0 == " " || $0 == "\t" }
        guard let first = words.first else { return nil }
        let isNickname = first.hasPrefix("@") && words.count > 1 && !first.hasSuffix(":")
        let fields = words.prefix(5)
        let isFields =
            words.count > 5 && first.last != ":"
            && fields.prefix(3).allSatisfy { word in
                word.contains { $0 == "*" || $0.isNumber }
                    && word.allSatisfy { $0.isNumber || "*/,-~".contains($0) }
            }
        guard isNickname || isFields else { return nil }
        let span = Span(line: number, column: text.indent, count: max(1, text.trimmed.count))
        return (.cronLine, span)
    }

    /// A mistake on the failing line that is easily missed: a `-` without its space, or a character that looks like YAML's.
    private func slip(behind finding: Finding) -> Finding? {
        switch finding.problem {
        case .spaceAfterColon, .noColon, .colonInValue, .deeperThanValue, .indentation: break
        default: return nil
        }
        let number = Int(finding.span.start.line)
        var lines = SourceLines(source)
        let text = Text(lines.text(lines.range(ofLine: number).prefix(4096)))
        let item = text.trimmed.dropFirst()
        if text.trimmed.hasPrefix("-"), let first = item.first, first != " ", first != "-" {
            return (.spaceAfterDash(String(item.prefix(60))), Span(line: number, column: text.indent))
        }
        guard let (problem, column) = text.lookalike else { return nil }
        return (.lookalike(problem), Span(line: number, column: column))
    }

    private func finding() -> Finding {
        if let quote = unclosedQuote() ?? textBehindValue() { return quote }
        let words = failure.words
        if words.contains("could not find expected ':'") { return withoutColon() }
        if words.contains("mapping values are not allowed") { return mappingValue() }
        if words.contains("found unknown escape character") || words.contains("escape")
            || words.contains("hexdecimal")
        {
            // The mark stands at the backslash.
            return at(.escape(line.character(at: failure.place.column + 1)), count: 2)
        }
        if words.contains("cannot start any token") {
            let character = line.character(at: failure.place.column)
            return at(character == "\t" ? .tab : character.map(SyntaxProblem.firstCharacter) ?? .noContent)
        }
        if words.contains("',' or '") {
            let bracket = words.contains("']'") ? "[" as Character : "{"
            if bracket == "{", let finding = colonInBraces() { return finding }
            return signInBrackets() ?? (.unclosed(bracket: bracket), span(failure.contextPlace))
        }
        if failure.context.contains("scanning an alias") || failure.context.contains("scanning an anchor") {
            return (failure.context.contains("alias") ? .alias : .anchor, span(failure.contextPlace))
        }
        if failure.context.contains("directive") || words.contains("directive")
            || words.contains("YAML document")
        {
            return (
                .directive,
                Span(line: Int(failure.place.line), column: 0, count: max(1, line.word(from: 0).count))
            )
        }
        return rest(words)
    }

    private func rest(_ words: String) -> Finding {
        if words.contains("block sequence entries are not allowed") { return at(.listOnKeyLine) }
        if words.contains("did not find expected '-' indicator") { return at(.listItem) }
        if words.contains("mapping keys are not allowed") { return at(.keyMark) }
        if words.contains("did not find expected <document start>") { return afterDocument() }
        if words.contains("did not find expected node content") { return noContent() }
        if words.contains("did not find expected key") { return expectedKey() }
        if words.contains("comment or line break") || words.contains("indentation indicator") {
            return at(.blockHeader)
        }
        return at(.other(words, while: failure.context.isEmpty ? nil : failure.context))
    }

    /// `word:value`, or a line without any colon.
    private func withoutColon() -> Finding {
        let start = Int(failure.contextPlace.column)
        let text = contextLine.word(from: start)
        if let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex {
            // No key begins with a digit: it is a time, and the dash before it is missing.
            let line = Int(failure.contextPlace.line)
            if text.first?.isNumber == true, lineAbove(line)?.text.trimmed.hasPrefix("- ") == true {
                return (.noDash(text), Span(line: line, column: start, count: text.count))
            }
            let before = text.distance(from: text.startIndex, to: colon)
            let place = Span(line: Int(failure.contextPlace.line), column: start + before)
            return (.spaceAfterColon(text), place)
        }
        let span = Span(line: Int(failure.contextPlace.line), column: start, count: max(1, text.count))
        if let sign = text.firstIndex(of: "=") {
            let key = String(text[..<sign]).trimmingSpaces
            let value = String(text[text.index(after: sign)...]).trimmingSpaces
            if Key(rawValue: key) != nil { return (.equals(text, meant: "\(key): \(value)"), span) }
        }
        return (.noColon(text), span)
    }

    private func mappingValue() -> Finding {
        let column = Int(failure.place.column)
        let before = String(line.characters.prefix(column))
        // An earlier `key: ` on the line makes this the second.
        if let first = before.firstRange(of: ": ") {
            let key = before[..<first.lowerBound].drop { $0 == " " || $0 == "-" }
            let value = String(line.characters.drop { $0 != ":" }.dropFirst()).trimmingSpaces
            let isSimple =
                !value.contains("'") && !value.contains("#") && !key.contains(where: { "\"'{[".contains($0) })
            return at(.colonInValue(remedy: isSimple ? "\(key): '\(value)'" : nil))
        }
        guard let above = lineAbove() else { return at(.indentation(above: nil)) }
        let text = above.text
        if text.indent <= line.indent, text.isKeyWithoutSpace {
            return (
                .spaceAfterColon(text.trimmed), Span(line: above.number, column: text.indent + text.colon)
            )
        }
        if text.indent < line.indent, text.isName {
            let word = text.trimmed
            let span = Span(line: above.number, column: text.indent, count: max(1, word.count))
            return (.noColon(word), span)
        }
        if text.indent < line.indent {
            let span = Span(
                line: Int(failure.place.line), column: line.indent, count: max(1, column - line.indent))
            return (.deeperThanValue(indent: text.indent), span)
        }
        let word = text.word(from: text.indent)
        if text.indent == line.indent, !word.contains(":") {
            return (.noColon(word), Span(line: above.number, column: text.indent, count: max(1, word.count)))
        }
        return at(.indentation(above: text.indent))
    }

    /// The last line with content above the failure, or above the line `below`.
    private func lineAbove(_ below: Int? = nil) -> (number: Int, text: Text)? {
        let below = below ?? Int(failure.place.line)
        // It gives up after fifty lines without content.
        var lines = SourceLines(source)
        var last: (Int, Text)?
        for number in max(0, below - 50)..<below {
            let text = Text(lines.text(lines.range(ofLine: number).prefix(4096)))
            if !text.isBlank { last = (number, text) }
        }
        return last
    }

    private func noContent() -> Finding {
        let character = line.character(at: failure.place.column)
        if let bracket = failure.openBracket {
            guard character == nil || bracket.line != failure.place.line else { return at(.noContent) }
            var lines = SourceLines(source)
            let opening = Text(lines.text(lines.range(ofLine: Int(bracket.line)).prefix(4096)))
            return (.unclosed(bracket: opening.character(at: bracket.column) ?? "["), span(bracket))
        }
        return at(character.map(SyntaxProblem.firstCharacter) ?? .noContent)
    }

    private func expectedKey() -> Finding {
        let column = Int(failure.place.column)
        let before = String(line.characters.prefix(column)).trimmingSpaces
        if let quote = before.last, quote == "'" || quote == "\"", !before.isEmpty {
            return at(.afterQuote(quote))
        }
        if line.character(at: failure.place.column) == ":" { return at(.keyMark) }
        let above = lineAbove().flatMap { $0.text.indent == line.indent ? nil : $0.text.indent }
        let isItem = line.trimmed.hasPrefix("- ")
        return at(.indentation(above: above), count: isItem ? 1 : max(1, line.word(from: column).count))
    }

    private func afterDocument() -> Finding {
        let word = line.word(from: Int(failure.place.column))
        let isKey = failure.place.column == 0 && word.contains(":")
        return at(isKey ? .indentation(above: nil) : .afterDocument, count: max(1, word.count))
    }

    private func unclosedQuote() -> Finding? {
        if failure.context.contains("quoted scalar"),
            failure.words.contains("end of stream") || failure.words.contains("document indicator")
        {
            return contextLine.character(at: failure.contextPlace.column).map {
                (.unclosedQuote($0), span(failure.contextPlace))
            }
        }
        // A quote closed by the next one further down, where the failure is.
        guard let quoted = failure.lastQuoted, quoted.end.line == failure.place.line else { return nil }
        var lines = SourceLines(source)
        let opening = Text(lines.text(lines.range(ofLine: Int(quoted.start.line)).prefix(4096)))
        guard let quote = opening.character(at: quoted.start.column), quote == "'" || quote == "\"" else {
            return nil
        }
        return (.unclosedQuote(quote), span(quoted.start))
    }

    /// Every line from the failure on that a tab indents, if libyaml refused a tab.
    private func tabs() -> [Finding] {
        guard line.indentation.contains("\t"),
            Int(failure.place.column) <= line.indentation.unicodeScalars.count
        else { return [] }
        var found: [Finding] = []
        var lines = SourceLines(source)
        var number = Int(failure.place.line)
        while found.count < TextScan.limit {
            let range = lines.range(ofLine: number)
            if range.lowerBound >= source.count { break }
            let text = Text(lines.text(range.prefix(256)))
            if !text.isBlank, let tab = text.indentation.firstIndex(of: "\t") {
                let column = text.indentation.distance(from: text.indentation.startIndex, to: tab)
                found.append((.tab, Span(line: number, column: column)))
            }
            number += 1
        }
        return found
    }

    func at(_ problem: SyntaxProblem, count: Int = 1) -> Finding {
        let place = failure.place
        return (problem, Span(line: Int(place.line), column: Int(place.column), count: count))
    }

    private func span(_ mark: Mark) -> Span { Span(line: Int(mark.line), column: Int(mark.column)) }
}
