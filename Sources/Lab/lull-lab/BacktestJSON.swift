import LullModel
import LullSimulator

/// `lull backtest --json`: shares are 0 to 1.
struct BacktestJSON: Encodable {
    struct Freshness: Encodable {
        let within30: Double
        let within60: Double
        let within120: Double
        let meanAgeMs: Int64?
        let medianAgeMs: Int64?
        let launchesPerAppDay: Double
        let longestGapMs: Int64?

        init(_ point: BacktestCurve.Point) {
            within30 = point.hits[0]
            within60 = point.hits[1]
            within120 = point.hits[2]
            meanAgeMs = point.meanAge.map { milliseconds($0 * 3600) }
            medianAgeMs = point.medianAge.map { milliseconds($0 * 3600) }
            launchesPerAppDay = point.launchesPerAppDay
            longestGapMs = point.longestGap.map(milliseconds)
        }
    }

    struct Run: Encodable {
        let budget: Double?
        let launchCount: Int
        let scheduler: Freshness
        let fixedInterval: Freshness
        let activeHours: Freshness
        let clairvoyant: Freshness
        let meanOfApps60: Double
        let launchesPerDayP10P50P90: [Double]
        let medianHitAgeMs: Int64?
        let idleLaunchCount: Int
        let closeLaunchCount: Int
        let tasks: [TaskFigures]?
    }

    struct TaskFigures: Encodable {
        let task: String
        let useCount: Int
        let objective: Objective
        /// Nil: it is asked to be fresh for a share of the uses.
        let budget: Double?
        let freshShare: Double?
        let scheduler: Freshness
        let fixedInterval: Freshness
    }

    let source: String
    let appCount: Int
    let useCount: Int
    let scoredUseCount: Int
    let liveAppDays: Double
    let objective: Objective?
    /// The names of subjects with too few uses for a figure.
    let tooLittle: [String]
    let runs: [Run]

    init(world: BacktestWorld, runs: [BacktestRunResult]) {
        source = world.source
        appCount = Set(world.scored.map(\.app)).count
        useCount = world.log.useCount
        scoredUseCount = world.apps.reduce(0) { $0 + $1.scored.count }
        liveAppDays = world.apps.reduce(0) { $0 + $1.liveDays }
        objective = world.isOfHost ? nil : world.objective
        tooLittle = world.subjects.filter { !world.isEnough($0) }.map(\.name)
        self.runs = runs.map { run in
            Run(
                budget: run.budget, launchCount: run.score.launches, scheduler: Freshness(.init(run.score)),
                fixedInterval: Freshness(run.interval), activeHours: Freshness(run.activeHours),
                clairvoyant: Freshness(run.bound), meanOfApps60: run.score.hitMeanOfApps,
                launchesPerDayP10P50P90: run.score.spread,
                medianHitAgeMs: run.score.medianHitAge.map { milliseconds($0 * 60) },
                idleLaunchCount: run.score.idleLaunches, closeLaunchCount: run.score.closeLaunches,
                tasks: world.isOfHost ? Self.tasks(of: run, in: world) : nil)
        }
    }

    private static func tasks(of run: BacktestRunResult, in world: BacktestWorld) -> [TaskFigures] {
        zip(world.scored, zip(run.scores, run.intervals)).compactMap { subject, figures in
            subject.task.map { task in
                TaskFigures(
                    task: subject.name, useCount: figures.0.uses, objective: task.objective,
                    budget: run.budget ?? (task.freshShare == nil ? task.budget : nil),
                    freshShare: run.budget == nil ? task.freshShare : nil,
                    scheduler: Freshness(.init(figures.0)),
                    fixedInterval: Freshness(figures.1))
            }
        }
    }
}

/// Of a span in seconds.
private func milliseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1000).rounded()) }
