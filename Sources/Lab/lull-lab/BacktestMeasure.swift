import Dispatch
import LullSimulator
import Synchronization

/// The results of one budget, of the scheduler and of the others.
struct BacktestRunResult: Sendable {
    /// As it was asked for; nil: each task's own.
    let budget: Double?
    let score: BacktestScore
    /// Of each scored subject.
    let scores: [BacktestScore]
    let launches: [[Double]]
    let interval: BacktestCurve.Point
    /// A fixed interval at the same launches, of each scored subject.
    let intervals: [BacktestCurve.Point]
    let activeHours: BacktestCurve.Point
    let bound: BacktestCurve.Point

    var warnings: [String] {
        var warnings: [String] = []
        let broken = score.idleLaunches + score.closeLaunches
        if broken > 0 {
            warnings.append(
                "warning: \(score.idleLaunches) launches were of idle apps and \(score.closeLaunches) came less than "
                    + "15 min after another; they count, but refresh nothing. Report this: it is a fault of Lull."
            )
        }
        if score.isSuspect {
            warnings.append(
                "warning: The result is suspiciously good: half of the hits came within 12 min of a launch. "
                    + "Check that the replay does not use future data (docs/backtest.md).")
        }
        return warnings
    }
}

/// Runs all replays, on as many cores as there are; the result does not depend on how many.
struct BacktestMeasure {
    let world: BacktestWorld

    func runs(budgets: [Double?]) -> [BacktestRunResult] {
        let apps = world.apps
        let world = world
        let progress = ReplayProgress(parts: budgets.count)
        var launched: [Int: [[Double]]] = [:]
        let others = Mutex<(hours: BacktestActiveHours, bound: BacktestBound)?>(nil)
        // The largest budget takes longest, so it is begun first. All that can be done at once stands in one list: an inner
        // list of its own would wait for the outer one's cores.
        let plays = budgets.indices.reversed().flatMap { place in
            let parts = world.backtest(budget: budgets[place]).parts
            return parts.indices.map { (place: place, part: $0, backtest: parts[$0]) }
        }
        let played = Mutex<[Int: [Int: [Backtest.Launches]]]>([:])
        DispatchQueue.concurrentPerform(iterations: plays.count + 1) { number in
            guard number < plays.count else {
                let made = (BacktestActiveHours(apps), BacktestBound(apps))
                return others.withLock { $0 = made }
            }
            let (place, part, backtest) = plays[number]
            let launches = backtest.launches { if part == 0 { progress.note($0, of: place) } }
            played.withLock { $0[place, default: [:]][part] = launches }
        }
        for (place, budget) in budgets.enumerated() {
            let parts = played.withLock { $0[place] ?? [:] }
            let joined = world.backtest(budget: budget).joined(parts.keys.sorted().compactMap { parts[$0] })
            launched[place] = world.launches(joined)
        }
        progress.end()
        let (hours, bound) = others.withLock { $0 } ?? (BacktestActiveHours(apps), BacktestBound(apps))
        return budgets.enumerated().map { place, budget in
            let launches = launched[place] ?? apps.map { _ in [] }
            let score = BacktestScore(apps, launches: launches)
            let rate = score.launchesPerAppDay
            let scores = world.isOfHost ? zip(apps, launches).map { BacktestScore([$0], launches: [$1]) } : []
            return BacktestRunResult(
                budget: budget, score: score, scores: scores, launches: launches,
                interval: BacktestInterval(apps).at(rate),
                intervals: zip(apps, scores).map { BacktestInterval([$0]).at($1.launchesPerAppDay) },
                activeHours: hours.curve.at(rate), bound: bound.at(rate))
        }
    }
}
