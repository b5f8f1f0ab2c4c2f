/// The problems found so far: each once, and up to a limit.
struct Problems {
    struct Problem: Hashable {
        var span: Span
        var fact: ManifestProblem
    }

    /// The number of errors, and of warnings, that are reported; after that they are counted.
    static let limit = 1000

    private(set) var found: [Problem] = []
    private(set) var unreported = 0
    private var known: Set<Problem> = []
    private var errors = 0

    var hasErrors: Bool { errors > 0 }
    /// Whether looking for the remedy of one more is a waste.
    var isFull: Bool { errors >= Self.limit }

    mutating func add(_ fact: ManifestProblem, at span: Span) {
        let isError = fact.severity == .error
        guard (isError ? errors : found.count - errors) < Self.limit else {
            unreported += 1
            return
        }
        let problem = Problem(span: span, fact: fact)
        // The target of an alias is read once for each alias, but its problems are reported once.
        guard known.insert(problem).inserted else { return }
        found.append(problem)
        if isError { errors += 1 }
    }

    mutating func add(_ others: Problems) {
        for problem in others.found { add(problem.fact, at: problem.span) }
        unreported += others.unreported
    }

    /// In the file's order; if reading stopped early, only why, and the problems that end on a line before that place.
    func inOrder(before cut: Mark?) -> [Problem] {
        found.filter { problem in
            guard let cut else { return true }
            return problem.fact.stopsReading || problem.span.end.line < cut.line
        }
        .sorted { $0.span.start < $1.span.start }
    }
}
