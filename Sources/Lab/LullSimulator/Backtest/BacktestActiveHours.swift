/// Launches once an hour, on the hour, in the fewest local hours of the day that hold a share of an app's past uses.
///
/// This is a crontab that a careful person keeps up to date: the counts halve every 30 days, and each
/// day is planned from what was known when it began.
public struct BacktestActiveHours: Sendable {
    static let shares = [
        0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85,
        0.9, 0.95, 0.98, 1.01,
    ]
    private static let halfLifeDays = 30.0
    private static let tick: Int64 = 300

    /// The results of the launches that each of the shares leads to.
    public let curve: BacktestCurve

    public init(_ apps: [BacktestApp]) {
        let hours = apps.map(Self.liveHours)
        curve = BacktestCurve(
            Self.shares.map { share in
                .init(
                    BacktestScore(
                        apps, launches: hours.map { Self.launches($0, share: share) }, checksRules: false))
            })
    }

    /// The hours of the scored span, each with the share of uses that busier hours of the day hold.
    private static func liveHours(of app: BacktestApp) -> [(time: Double, before: Double)] {
        let day = BacktestApp.day
        let firstDay = app.uses[0].dividedDown(by: day)
        let busier = busierShares(of: app)
        var hours: [(time: Double, before: Double)] = []
        var place = 0
        var time = -(-(app.from - BacktestScore.ageLimit)).dividedDown(by: tick) * tick
        let last = app.to.dividedDown(by: tick) * tick
        while time <= last {
            defer { time += tick }
            while place < app.uses.count, app.uses[place] < time { place += 1 }
            guard place > 0, time - app.uses[place - 1] <= app.idleAfter else { continue }
            let local = time + Int64(app.offsets[place - 1])
            guard local - local.dividedDown(by: 3600) * 3600 < tick else { continue }
            let hour = Int((local - local.dividedDown(by: day) * day) / 3600)
            hours.append((Double(time), busier[Int(time.dividedDown(by: day) - firstDay)][hour]))
        }
        return hours
    }

    /// For each day and local hour, the share of uses before that day in hours with more of them.
    private static func busierShares(of app: BacktestApp) -> [[Double]] {
        let day = BacktestApp.day
        let firstDay = app.uses[0].dividedDown(by: day)
        let count = Int(app.to.dividedDown(by: day) - firstDay) + 1
        let decay = 0.5.raised(to: 1 / halfLifeDays)
        var uses = [Double](repeating: 0, count: 24)
        var rows: [[Double]] = []
        rows.reserveCapacity(count)
        var place = 0
        for number in 0..<count {
            let order = uses.indices.sorted { (uses[$1], $0) < (uses[$0], $1) }
            let total = max(uses.reduce(0, +), 1e-9)
            var row = [Double](repeating: 0, count: 24)
            var sum = 0.0
            for hour in order {
                sum += uses[hour]
                row[hour] = sum / total - uses[hour] / total
            }
            rows.append(row)
            for hour in uses.indices { uses[hour] *= decay }
            while place < app.uses.count,
                app.uses[place].dividedDown(by: day) == firstDay + Int64(number)
            {
                let local = app.uses[place] + Int64(app.offsets[place])
                uses[Int((local - local.dividedDown(by: day) * day) / 3600)] += 1
                place += 1
            }
        }
        return rows
    }

    private static func launches(_ hours: [(time: Double, before: Double)], share: Double) -> [Double] {
        var last = -Double.infinity
        return hours.compactMap { hour in
            guard hour.before < share else { return nil }
            defer { last = hour.time }
            return hour.time - last >= BacktestScore.leastGap ? hour.time : nil
        }
    }
}

extension Double {
    /// By squaring and roots, for the core imports no mathematics: exact enough for a weight.
    fileprivate func raised(to exponent: Double) -> Double {
        var result = 1.0
        var root = self
        var rest = exponent
        for _ in 0..<60 {
            root = root.squareRoot()
            rest *= 2
            if rest >= 1 {
                result *= root
                rest -= 1
            }
        }
        return result
    }
}

extension Int64 {
    func dividedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
