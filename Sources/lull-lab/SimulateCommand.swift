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
        var world = World(
            manifest: manifest, zones: ZoneLoader.load(manifest.zoneNames, around: start), start: start,
            seed: seed)
        world.options.identify(roots: options.roots)
        do {
            let history = try SQLiteHistory.open(folder: folder, mode: .readOnly)
            world.checkpoint = try LedgerStore.load(from: history, zones: world.zones)
            let uses = try history.events(matching: HistoryQuery(names: [.used], since: start - .days(7)))
            world.timeline = repeated(uses, from: start)
            let happened = try history.events(
                matching: HistoryQuery(names: [.submitted, .happened], since: start - .days(7)))
            world.timeline += SimulatedEvents.again(happened, manifest, from: start, days: days)
        } catch {
            guard case .missing = error else { throw Failure(error.message + "\n" + error.fix) }
        }
        for rate in rates { world.timeline += rate.entries(from: start, days: days) }
        world.options.tells = false
        world.watches = false
        world.keeps = [.idled, .revived]
        world.conditions = ConditionSensors(roots: options.roots).current()
        var simulation = Simulation(world)
        let broken = run(&simulation, manifest)
        let launches = simulation.trace.launches
        let phrases = Phrases(now: start, zone: world.zones.host)
        let idle = SimulateIdle(
            events: simulation.trace.events,
            idle: Set(manifest.apps.map(\.identifier).filter(simulation.state.isIdle)), phrases: phrases
        ).sentences(of: manifest)
        if json {
            try Output.json(launches.map(LaunchLine.init))
            for sentence in idle { Output.error(sentence) }
        } else {
            let text = SimulateText(
                launches: launches, manifest: manifest, start: start, days: days, zone: world.zones.host,
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

    /// Where something is expected it is looked at each quarter of an hour, and told once.
    private func run(
        _ simulation: inout Simulation, _ manifest: Manifest
    ) -> [(task: TaskDefinition, time: WallTime, sentence: String)] {
        let expected = manifest.tasks.filter { $0.expect != nil && $0.enabled }
        let start = simulation.world.start
        let progress = ReplayProgress(parts: 1, verb: "simulated")
        defer { progress.end() }
        var broken: [(task: TaskDefinition, time: WallTime, sentence: String)] = []
        // With many tasks the first quarter of an hour takes a while.
        progress.note(0, of: 0)
        for step in 1...days * 96 {
            simulation.run(until: start + .minutes(15 * step))
            progress.note(Double(step) / Double(days * 96), of: 0)
            for task in expected where !broken.contains(where: { $0.task.identifier == task.identifier }) {
                guard
                    let sentence = simulation.state.brokenExpectation(of: task.identifier, at: simulation.now)
                else { continue }
                broken.append((task, simulation.now.wall, sentence))
            }
        }
        return broken
    }

    /// Last week's uses, again in each week that is simulated.
    private func repeated(_ uses: [HistoryEvent], from start: WallTime) -> [World.Entry] {
        (1...(days / 7 + 1)).flatMap { week in
            uses.compactMap { use in
                let time = use.time + .days(7 * week)
                return time > start ? World.Entry(time, .used(use.app)) : nil
            }
        }
    }

    private struct LaunchLine: Encodable {
        let time: String
        let task: TaskIdentifier
        let kind: Kind

        init(_ launch: Trace.Launched) {
            time = launch.time.rfc3339
            task = launch.task
            kind = launch.kind
        }
    }
}
