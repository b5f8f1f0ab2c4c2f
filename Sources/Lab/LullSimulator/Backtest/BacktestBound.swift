/// The most hits that any plan could make with so many launches, if all uses are known and all apps share the budget.
///
/// Covering points with k intervals is concave in k with whole slopes, so the best cover at each price between two
/// whole numbers gives every corner of the curve.
public struct BacktestBound: Sendable {
    /// By `BacktestScore.windows`: launches per app-day, share of hits.
    private let corners: [[(budget: Double, hits: Double)]]

    public init(_ apps: [BacktestApp]) {
        let uses = Double(max(1, apps.reduce(0) { $0 + $1.scored.count }))
        let days = apps.reduce(0) { $0 + $1.liveDays }
        corners = BacktestScore.windows.map { window in
            var corners = [(budget: 0.0, hits: 0.0)]
            var price = Double(window * 60 / 1800) + 1.5
            while price > 0, days > 0 {
                var hits = 0.0
                var launches = 0
                for app in apps {
                    let best = Self.cover(app, window: Double(window * 60), price: price)
                    launches += best.launches
                    hits += best.value + price * Double(best.launches)
                }
                corners.append((Double(launches) / days, hits / uses))
                price -= 1
            }
            return corners
        }
    }

    public func at(_ launchesPerAppDay: Double) -> BacktestCurve.Point {
        BacktestCurve.Point(
            launchesPerAppDay: launchesPerAppDay,
            hits: corners.map { corners in
                var last = corners[0]
                for corner in corners.dropFirst() {
                    if corner.budget >= launchesPerAppDay {
                        let width = corner.budget - last.budget
                        guard width > 0 else { return corner.hits }
                        return last.hits
                            + (corner.hits - last.hits) * (launchesPerAppDay - last.budget) / width
                    }
                    last = corner
                }
                return last.hits
            })
    }

    /// The hits less the price of the launches of the best plan for one app, and how many it launches.
    private static func cover(
        _ app: BacktestApp, window: Double, price: Double
    ) -> (value: Double, launches: Int) {
        let uses = app.uses[app.scored].map(Double.init)
        let lowest = app.scored.lowerBound
        var value = [Double](repeating: 0, count: uses.count + 1)
        var launches = [Int](repeating: 0, count: uses.count + 1)
        var end = uses.count
        for place in stride(from: uses.count - 1, through: 0, by: -1) {
            value[place] = value[place + 1]
            launches[place] = launches[place + 1]
            guard lowest + place > 0 else { continue }
            // The latest lawful launch before the use, and the uses that it serves.
            let revived = Double(app.uses[lowest + place - 1] + app.idleAfter)
            let launch = min(uses[place] - 1, revived)
            guard uses[place] - launch <= window else { continue }
            while end > 0, uses[end - 1] > launch + window { end -= 1 }
            let covering = Double(end - place) - price + value[end]
            if covering > value[place] {
                value[place] = covering
                launches[place] = launches[end] + 1
            }
        }
        return (value[0], launches[0])
    }
}
