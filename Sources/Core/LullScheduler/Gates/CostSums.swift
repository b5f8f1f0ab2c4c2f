import LullModel

/// What ended runs have cost: those of an app, or of all apps together.
///
/// The events say over which span a cost counts, so that the fold of the history is the same under any manifest, and
/// nothing is kept where there is no limit. Costs are summed up for each 48th of the span.
struct CostSums: Sendable, Equatable, Codable {
    struct Part: Sendable, Equatable, Codable {
        let figure: CostLimit.Figure
        var start: WallTime
        var amount: Int64

        /// Whether it still counts; one of the future does, too, for the clock may have been set back.
        func counts(over span: Duration, at now: WallTime) -> Bool {
            now < start + span && start <= now + span
        }
    }

    static let partsOfSpan: Int64 = 48

    /// In ascending order for each figure.
    private(set) var parts: [Part] = []

    var isEmpty: Bool { parts.isEmpty }

    mutating func note(_ cost: RunCost, over spans: [CostLimit.Figure: Duration], at time: WallTime) {
        let new = spans.keys.compactMap { figure in
            cost[figure].map { Part(figure: figure, start: time, amount: max(0, $0)) }
        }
        let sorted = (parts + new).sorted { ($0.figure.rawValue, $0.start) < ($1.figure.rawValue, $1.start) }
        parts = []
        for var part in sorted {
            if let span = spans[part.figure] {
                guard part.counts(over: span, at: time) else { continue }
                let width = (span.milliseconds + Self.partsOfSpan - 1) / Self.partsOfSpan
                let past = part.start.milliseconds % width
                part.start.milliseconds -= past < 0 ? past + width : past
            }
            if let last = parts.last, last.figure == part.figure, last.start == part.start {
                parts[parts.count - 1].amount = Self.sum(last.amount, part.amount)
            } else {
                parts.append(part)
            }
        }
    }

    private func counted(by limit: CostLimit, at now: WallTime) -> some Sequence<Part> {
        parts.lazy.filter { $0.figure == limit.figure && $0.counts(over: limit.span, at: now) }
    }

    /// What counts by a limit now. A part leaves at once, a whole span after its beginning, so that a run at the same
    /// time of every day does not put off that of the next.
    func cost(by limit: CostLimit, at now: WallTime) -> Int64 {
        counted(by: limit, at: now).reduce(0) { Self.sum($0, $1.amount) }
    }

    /// When less than the limit counts, if nothing more is spent; nil: now.
    func opening(of limit: CostLimit, at now: WallTime) -> WallTime? {
        var rest = cost(by: limit, at: now)
        guard rest >= limit.amount else { return nil }
        var opening: WallTime?
        for part in counted(by: limit, at: now) where rest >= limit.amount {
            rest -= part.amount
            opening = part.start + limit.span
        }
        return opening
    }

    private static func sum(_ a: Int64, _ b: Int64) -> Int64 { min(a, .max - b) + b }
}
