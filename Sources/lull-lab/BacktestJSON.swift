import LullModel
import LullSimulator

/// `lull backtest --json`: shares are 0 to 1, ages in hours, gaps in seconds.
struct BacktestJSON: Encodable {
    struct Freshness: Encodable {
        let within30: Double
        let within60: Double
        let within120: Double
        let meanAgeHours: Double?
        let medianAgeHours: Double?
        let launchesPerAppDay: Double
        let longestGapSeconds: Double?

        init(_ point: BacktestCurve.Point) {
            within30 = point.hits[0]
            within60 = point.hits[1]
            within120 = point.hits[2]
            meanAgeHours = point.meanAge
            medianAgeHours = point.medianAge
            launchesPerAppDay = point.launchesPerAppDay
            longestGapSeconds = point.longestGap
        }
    }

    struct Run: Encodable {
        let budget: Double?
        let launches: Int
        let scheduler: Freshness
        let fixedInterval: Freshness
        let activeHours: Freshness
        let clairvoyant: Freshness
        let meanOfApps60: Double
        let launchesPerDayP10P50P90: [Double]
        let medianHitAgeMinutes: Double?
        let idleLaunches: Int
        let closeLaunches: Int
        let tasks: [TaskFigures]?
    }

    struct TaskFigures: Encodable {
        let task: String
        let uses: Int
        let objective: Objective
        /// Nil: it is asked to be fresh for a share of the uses.
        let budget: Double?
        let freshShare: Double?
        let scheduler: Freshness
        let fixedInterval: Freshness
    }

    let source: String
    let apps: Int
    let uses: Int
    let scoredUses: Int
    let liveAppDays: Double
    let objective: Objective?
    /// What too little is known of for a figure.
    let tooLittle: [String]
    let runs: [Run]

    init(world: BacktestWorld, runs: [BacktestRunResult]) {
        source = world.source
        apps = Set(world.scored.map(\.app)).count
        uses = world.log.useCount
        scoredUses = world.apps.reduce(0) { $0 + $1.scored.count }
        liveAppDays = world.apps.reduce(0) { $0 + $1.liveDays }
        objective = world.isOfHost ? nil : world.objective
        tooLittle = world.subjects.filter { !world.isEnough($0) }.map(\.name)
        self.runs = runs.map { run in
            Run(
                budget: run.budget, launches: run.score.launches, scheduler: Freshness(.init(run.score)),
                fixedInterval: Freshness(run.interval), activeHours: Freshness(run.activeHours),
                clairvoyant: Freshness(run.bound), meanOfApps60: run.score.hitMeanOfApps,
                launchesPerDayP10P50P90: run.score.spread, medianHitAgeMinutes: run.score.medianHitAge,
                idleLaunches: run.score.idleLaunches, closeLaunches: run.score.closeLaunches,
                tasks: world.isOfHost ? Self.tasks(of: run, in: world) : nil)
        }
    }

    private static func tasks(of run: BacktestRunResult, in world: BacktestWorld) -> [TaskFigures] {
        zip(world.scored, zip(run.scores, run.intervals)).compactMap { subject, figures in
            subject.task.map { task in
                TaskFigures(
                    task: subject.name, uses: figures.0.uses, objective: task.objective,
                    budget: run.budget ?? (task.freshShare == nil ? task.budget : nil),
                    freshShare: run.budget == nil ? task.freshShare : nil,
                    scheduler: Freshness(.init(figures.0)),
                    fixedInterval: Freshness(figures.1))
            }
        }
    }
}
