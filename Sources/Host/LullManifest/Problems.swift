/// The problems found so far: each once, and not without bound.
struct Problems {
    struct Problem: Hashable {
        var span: Span
        var fact: ManifestProblem
    }

    /// So many errors, and so many warnings, are reported; after that they are counted.
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
        // What an alias stands for is read once for each alias: its problems are one each.
        guard known.insert(problem).inserted else { return }
        found.append(problem)
        if isError { errors += 1 }
    }

    mutating func add(_ others: Problems) {
        for problem in others.found { add(problem.fact, at: problem.span) }
        unreported += others.unreported
    }

    /// In the file's order; where reading stopped early, only what ends on a line before that place.
    func inOrder(before cut: Mark?) -> [Problem] {
        found.filter { problem in
            guard let cut else { return true }
            return problem.fact.stopsReading || problem.span.end.line < cut.line
        }
        .sorted { $0.span.start < $1.span.start }
    }
}
