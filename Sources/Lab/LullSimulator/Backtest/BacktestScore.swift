/// How fresh the data was at the uses of a log, and how many launches that took.
public struct BacktestScore: Sendable, Equatable {
    /// A use is a hit when the last launch before it is at most this old, in minutes.
    public static let windows = [30, 60, 120]
    /// Data counts as at most this old.
    public static let ageLimit = BacktestApp.day
    static let leastGap = 900.0

    public internal(set) var uses = 0
    public internal(set) var launches = 0
    public internal(set) var launchesPerAppDay = 0.0
    /// The share of uses that are hits, by the windows.
    public internal(set) var hits: [Double] = []
    /// The age of the data at a use, in hours.
    public internal(set) var meanAge = 0.0
    public internal(set) var medianAge = 0.0
    /// The share of hits within an hour, each app counted once.
    public internal(set) var hitMeanOfApps = 0.0
    /// Launches a live day, of the apps at 10, 50 and 90 per cent.
    public internal(set) var spread: [Double] = []
    /// The median age of the data at hits within an hour, in minutes; nil: there is none.
    public internal(set) var medianHitAge: Double?
    /// Launches of an app that was idle.
    public internal(set) var idleLaunches = 0
    /// Launches less than 15 minutes after another of the app.
    public internal(set) var closeLaunches = 0
    /// The longest time without a launch while the app was live, of any app, in seconds.
    public internal(set) var longestGap = 0.0

    /// Whether the hits come right after their launches, as with a scheduler that sees the future.
    public var isSuspect: Bool { medianHitAge.map { $0 < 12 } ?? false }

    /// - Parameter launches: of each app of the log, in any order, in seconds.
    /// - Parameter checksRules: whether launches that break a rule refresh nothing; they are charged in any case.
    public init(_ apps: [BacktestApp], launches: [[Double]], checksRules: Bool = true) {
        precondition(apps.count == launches.count, "there are launches for each app of the log")
        var ages: [Double] = []
        ages.reserveCapacity(apps.reduce(0) { $0 + $1.scored.count })
        var liveDays = 0.0
        var shares: [Double] = []
        var burned: [Double] = []
        for (app, times) in zip(apps, launches) {
            let part = ScoredApp(app, launches: times, checksRules: checksRules)
            idleLaunches += part.idle
            closeLaunches += part.close
            longestGap = max(longestGap, part.longestGap)
            liveDays += app.liveDays
            self.launches += part.charged
            ages += part.ages
            if !part.ages.isEmpty {
                shares.append(Double(part.ages.count { $0 <= 3600 }) / Double(part.ages.count))
            }
            if app.liveDays > 0 { burned.append(Double(part.charged) / app.liveDays) }
        }
        uses = ages.count
        launchesPerAppDay = liveDays > 0 ? Double(self.launches) / liveDays : 0
        ages.sort()
        hits = Self.windows.map { window in
            ages.isEmpty ? 0 : Double(ages.upperBound(of: Double(window * 60))) / Double(ages.count)
        }
        let limit = Double(Self.ageLimit)
        meanAge = ages.isEmpty ? 0 : ages.reduce(0) { $0 + min($1, limit) } / Double(ages.count) / 3600
        medianAge = Self.percentile(50, of: ages.map { min($0, limit) }).map { $0 / 3600 } ?? 0
        medianHitAge = Self.percentile(50, of: Array(ages.prefix(ages.upperBound(of: 3600)))).map { $0 / 60 }
        hitMeanOfApps = shares.isEmpty ? 0 : shares.reduce(0, +) / Double(shares.count)
        burned.sort()
        spread = [10, 50, 90].compactMap { Self.percentile($0, of: burned) }
    }

    /// Linear between the nearest two; nil: there are no values. The values are ascending.
    static func percentile(_ percent: Double, of values: [Double]) -> Double? {
        guard let last = values.indices.last else { return nil }
        let place = percent / 100 * Double(last)
        let below = Int(place)
        let above = min(below + 1, last)
        return values[below] + (place - Double(below)) * (values[above] - values[below])
    }
}

/// How fresh the launches of one app kept its data.
struct ScoredApp {
    /// The age of the data at each scored use, in seconds; infinite: no launch came before it.
    private(set) var ages: [Double] = []
    /// Launches within the scored span.
    private(set) var charged = 0
    private(set) var idle = 0
    private(set) var close = 0
    private(set) var longestGap = 0.0

    init(_ app: BacktestApp, launches: [Double], checksRules: Bool) {
        // A launch up to a day before the span still counts as data of an age.
        let first = Double(app.from - BacktestScore.ageLimit)
        var times = launches.filter { $0 >= first && $0 <= Double(app.to) }
        times.sort()
        charged = times.count { $0 >= Double(app.from) }
        if checksRules { times = lawful(times, of: app) }
        var next = 0
        ages.reserveCapacity(app.scored.count)
        for use in app.uses[app.scored] {
            // Strictly before the use.
            while next < times.count, times[next] < Double(use) { next += 1 }
            ages.append(next > 0 ? Double(use) - times[next - 1] : .infinity)
        }
        longestGap = gap(between: times, of: app)
    }

    private mutating func lawful(_ times: [Double], of app: BacktestApp) -> [Double] {
        var last = -Double.infinity
        return times.filter { time in
            guard app.isLive(at: time) else {
                idle += 1
                return false
            }
            guard time - last >= BacktestScore.leastGap else {
                close += 1
                return false
            }
            last = time
            return true
        }
    }

    /// The longest time without a launch, counting only time in which the app is live.
    private func gap(between times: [Double], of app: BacktestApp) -> Double {
        var longest = 0.0
        var current = 0.0
        var next = times.lowerBound(of: Double(app.from))
        for index in max(0, app.scored.lowerBound - 1)..<app.uses.count - 1 {
            let use = app.uses[index]
            let end = Double(min(app.uses[index + 1], use + app.idleAfter))
            var at = Double(max(use, app.from))
            guard at < end else { continue }
            while next < times.count, times[next] <= end {
                longest = max(longest, current + max(0, times[next] - at))
                current = 0
                at = max(at, times[next])
                next += 1
            }
            current += end - at
        }
        return max(longest, current)
    }
}
