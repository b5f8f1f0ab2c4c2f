import ArgumentParser
import LullCommands
import LullConditions
import LullHistory
import LullHost
import LullModel
import LullScheduler
import LullSimulator
import LullSystem

extension SimulateArguments: RunnableArguments {
    package func run() throws {
        let folder = try options.checkedFolder().path
        options.noteManifest(file)
        let manifest = try options.readManifest(file, showsWarnings: false)
        let start = Clock.wall
        let rates = try events.map { try SimulatedEvents.Rate($0, manifest) }
        let zones = ZoneLoader.load(manifest.zoneNames, around: start)
        var ledger = Ledger()
        var timeline = rates.flatMap { $0.timeline(from: start, days: days) }
        var whole: [TaskIdentifier: Int64] = [:]
        var costs: [TaskIdentifier: RunCost] = [:]
        do {
            let history = try SQLiteHistory.open(folder: folder, mode: .readOnly)
            ledger = try LedgerStore.load(from: history, zones: zones)
            let underWay = Set(ledger.runs.values.map(\.task))
            for (task, record) in ledger.tasks
            where underWay.contains(task) || record.lastOutcome == .interrupted {
                whole[task] = try Self.last(of: task, in: history)?.milliseconds
            }
            for app in manifest.apps where !app.costLimits.isEmpty || !manifest.costLimits.isEmpty {
                for task in app.tasks.map(\.identifier) {
                    costs[task] = try Self.last(of: task, in: history)?.cost
                }
            }
            let since = start - .days(7)
            let uses = try history.events(matching: HistoryQuery(names: [.used], since: since))
            timeline += repeated(uses, from: start)
            let happened = try history.events(
                matching: HistoryQuery(names: [.submitted, .happened], since: since))
            timeline += SimulatedEvents.again(happened, manifest, from: start, days: days)
        } catch {
            guard case .missing = error else { throw Failure(error.message + "\n" + error.fix) }
        }
        var schedulerOptions = SchedulerOptions()
        schedulerOptions.identify(roots: options.roots)
        var rehearsal = Rehearsal(
            ledger, manifest, conditions: ConditionSensors(roots: options.roots).current(), zones: zones,
            from: start, options: schedulerOptions, timeline: timeline, whole: whole,
            costs: costs)
        let broken = run(&rehearsal, manifest, from: start)
        let launches = rehearsal.launches
        let phrases = Phrases(now: start, zone: zones.host)
        let idle = SimulateIdle(
            events: rehearsal.turns,
            idle: Set(manifest.apps.map(\.identifier).filter(rehearsal.state.isIdle)), phrases: phrases
        ).sentences(of: manifest)
        if json {
            try Output.json(launches.map(LaunchLine.init))
            for sentence in idle { Output.error(sentence) }
        } else {
            let text = SimulateText(
                launches: launches, manifest: manifest, start: start, days: days, zone: zones.host,
                idle: idle)
            Output.answer(styled: text.rendered(for: .output))
        }
        for (task, time, sentence) in broken {
            Output.error(
                "\(task.file ?? manifest.path):\(task.line): \(task.identifier): \(phrases.time(time)): \(sentence)."
            )
        }
        for (task, sentence) in PastConditions(folder, manifest).obstacles(of: manifest) {
            Output.error("\(task.file ?? manifest.path):\(task.line): \(task.identifier): \(sentence).")
        }
        if !broken.isEmpty { throw ExitCode(1) }
    }

    /// The end of the task's last whole run.
    private static func last(
        of task: TaskIdentifier, in history: SQLiteHistory
    ) throws(HistoryError) -> HistoryEvent? {
        let query = HistoryQuery(task: task, names: [.completed], order: .newestFirst, limit: 1)
        return try history.events(matching: query).first
    }

    /// Runs on, and looks at each task with `expect` every quarter of an hour; the first breach of each counts.
    private func run(
        _ rehearsal: inout Rehearsal, _ manifest: Manifest, from start: WallTime
    ) -> [(task: TaskDefinition, time: WallTime, sentence: String)] {
        let expected = manifest.tasks.filter { $0.expect != nil && $0.enabled }
        let progress = ReplayProgress(parts: 1, verb: "simulated")
        defer { progress.end() }
        var broken: [(task: TaskDefinition, time: WallTime, sentence: String)] = []
        // With many tasks the first quarter of an hour takes a while.
        progress.note(0, of: 0)
        for step in 1...days * 96 {
            rehearsal.run(until: start + .minutes(15 * step))
            progress.note(Double(step) / Double(days * 96), of: 0)
            for task in expected where !broken.contains(where: { $0.task.identifier == task.identifier }) {
                guard
                    let sentence = rehearsal.state.brokenExpectation(of: task.identifier, at: rehearsal.now)
                else { continue }
                broken.append((task, rehearsal.now.wall, sentence))
            }
        }
        return broken
    }

    /// Last week's uses, again in each week that is simulated.
    private func repeated(_ uses: [HistoryEvent], from start: WallTime) -> Rehearsal.Timeline {
        (1...(days / 7 + 1)).flatMap { week in
            uses.compactMap { use in
                let time = use.time + .days(7 * week)
                return time > start ? (time, .used(use.app, at: time)) : nil
            }
        }
    }

    private struct LaunchLine: Encodable {
        let time: String
        let task: TaskIdentifier
        let kind: Kind

        init(_ launch: Rehearsal.Launched) {
            time = launch.time.rfc3339
            task = launch.task
            kind = launch.kind
        }
    }
}
