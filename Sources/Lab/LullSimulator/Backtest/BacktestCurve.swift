/// The results of a policy by the number of its launches: linear between the points that were tried.
public struct BacktestCurve: Sendable, Equatable {
    public struct Point: Sendable, Equatable {
        public var launchesPerAppDay: Double
        /// By `BacktestScore.windows`.
        public var hits: [Double]
        /// In hours; nil: this is no launch plan but a bound.
        public var meanAge: Double?
        public var medianAge: Double?
        public var longestGap: Double?

        init(launchesPerAppDay: Double, hits: [Double]) {
            self.launchesPerAppDay = launchesPerAppDay
            self.hits = hits
        }

        public init(_ score: BacktestScore) {
            self.init(launchesPerAppDay: score.launchesPerAppDay, hits: score.hits)
            meanAge = score.meanAge
            medianAge = score.medianAge
            longestGap = score.longestGap
        }
    }

    public let points: [Point]

    init(_ points: [Point]) {
        // Stable, so that equal budgets keep the order in which they were tried.
        self.points = points.enumerated()
            .sorted { ($0.element.launchesPerAppDay, $0.offset) < ($1.element.launchesPerAppDay, $1.offset) }
            .map(\.element)
    }

    /// Linear between its points; without launches all data is a day old.
    public func at(_ budget: Double) -> Point {
        let hits = BacktestScore.windows.indices.map { window in
            value(at: budget, from: 0) { $0.hits[window] } ?? 0
        }
        var point = Point(launchesPerAppDay: budget, hits: hits)
        point.meanAge = value(at: budget, from: 24) { $0.meanAge }
        point.medianAge = value(at: budget, from: 24) { $0.medianAge }
        point.longestGap =
            points.min {
                abs($0.launchesPerAppDay - budget) < abs($1.launchesPerAppDay - budget)
            }?.longestGap
        return point
    }

    private func value(at budget: Double, from first: Double, _ of: (Point) -> Double?) -> Double? {
        var last = (x: 0.0, y: first)
        for point in points {
            guard let y = of(point) else { return nil }
            if point.launchesPerAppDay >= budget {
                let width = point.launchesPerAppDay - last.x
                guard width > 0 else { return y }
                return last.y + (y - last.y) * (budget - last.x) / width
            }
            last = (point.launchesPerAppDay, y)
        }
        return points.isEmpty ? nil : last.y
    }
}
