import Dispatch
import LullSimulator
import Synchronization

/// One budget, with what the scheduler and the others made of it.
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
                    + "15 min after another; they are counted and refresh nothing. Report this: it is a fault of Lull."
            )
        }
        if score.isSuspect {
            warnings.append(
                "warning: hits come right after the launch (a median of less than 12 min); that is what a scheduler "
                    + "that sees the future looks like. docs/backtest.md says how to make sure.")
        }
        return warnings
    }
}

/// Runs what has to be run, on as many cores as there are; the result does not depend on how many.
struct BacktestMeasure {
    let world: BacktestWorld

    func runs(budgets: [Double?]) -> [BacktestRunResult] {
        let apps = world.apps
        let world = world
        let progress = BacktestProgress(parts: budgets.count)
        let launched = Mutex<[Int: [[Double]]]>([:])
        let others = Mutex<(hours: BacktestActiveHours, bound: BacktestBound)?>(nil)
        // The largest budget takes longest, so it is begun first.
        let order = Array(budgets.indices.reversed())
        DispatchQueue.concurrentPerform(iterations: budgets.count + 1) { number in
            guard number != 1 else {
                let made = (BacktestActiveHours(apps), BacktestBound(apps))
                return others.withLock { $0 = made }
            }
            let place = order[number == 0 ? 0 : number - 1]
            let backtest = world.backtest(budget: budgets[place])
            let parts = backtest.parts
            let played = Mutex<[Int: [Backtest.Launches]]>([:])
            DispatchQueue.concurrentPerform(iterations: parts.count) { part in
                let launches = parts[part].launches { if part == 0 { progress.note($0, of: place) } }
                played.withLock { $0[part] = launches }
            }
            let scored = world.launches(
                backtest.joined(played.withLock { played in parts.indices.map { played[$0] ?? [] } }))
            launched.withLock { $0[place] = scored }
        }
        progress.end()
        let (hours, bound) = others.withLock { $0 } ?? (BacktestActiveHours(apps), BacktestBound(apps))
        return budgets.enumerated().map { place, budget in
            let launches = launched.withLock { $0[place] } ?? apps.map { _ in [] }
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
