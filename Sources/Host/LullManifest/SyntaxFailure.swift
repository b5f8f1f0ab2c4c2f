internal import CYAML

/// libyaml's message about the text at which it stopped.
struct SyntaxFailure {
    var words: String
    var context: String
    var place: Mark
    var contextPlace: Mark
    /// The last text in quotes that went over a line's end: often one whose quote was forgotten.
    var lastQuoted: Span?
    /// The innermost `[` or `{` that was open.
    var openBracket: Mark?

    init(_ parser: yaml_parser_t, lastQuoted: Span?, openBracket: Mark?) {
        self.openBracket = openBracket
        words = parser.problem.map { String(cString: $0) } ?? "libyaml stopped"
        context = parser.context.map { String(cString: $0) } ?? ""
        place = Mark(parser.problem_mark)
        contextPlace = Mark(parser.context_mark)
        self.lastQuoted = lastQuoted
    }
}
