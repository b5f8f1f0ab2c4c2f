import ArgumentParser
import LullCommands
import LullHistory
import LullHost
import LullModel
import LullScheduler
import LullSimulator
import LullSystem

extension FleetDiffArguments: RunnableArguments {
    package func run() throws {
        let folder = try options.checkedFolder().path
        options.noteManifest(manifestOption.path)
        let manifest = try options.readManifest(manifestOption.path, showsWarnings: false)
        let now = Clock.wall
        let zones = ZoneLoader.load(manifest.zoneNames, around: now)
        var host = SchedulerOptions()
        host.identify(roots: options.roots)
        let progress = ReplayProgress(parts: 1)
        defer { progress.end() }
        progress.note(0, of: 0)
        let comparison: FleetComparison
        do throws(HistoryError) {
            comparison = try FleetComparison(
                manifest, SQLiteHistory.open(folder: folder, mode: .readOnly), last: last.span, until: now,
                zones: zones, identity: host.host, isAnyHost: anyHost
            ) { progress.note($0, of: 0) }
        } catch {
            if case .missing = error {
                throw Failure(
                    "There is no history in \(folder) to replay. Let this host run for some days first: `lull run`, or "
                        + "name another state with --state.")
            }
            throw Failure(error.message + "\n" + error.fix)
        }
        progress.end()
        if json {
            try Output.json(FleetDiffJSON(comparison))
        } else {
            let text = FleetDiffText(comparison, phrases: Phrases(now: now, zone: zones.host))
            Output.answer(styled: text.rendered(for: .output))
        }
        if !comparison.replay.differences.isEmpty { throw ExitCode(1) }
    }
}

/// `lull fleet diff --json`; keys are written in snake case.
struct FleetDiffJSON: Encodable {
    struct Task: Encodable {
        let task: TaskIdentifier
        let slotCount: Int
        let differentCount: Int
    }
    struct Decision: Encodable {
        let decision: FleetReplay.Decision.Act
        let time: String?
        let outcome: Outcome?
        let reason: String?

        init(_ decision: FleetReplay.Decision) {
            self.decision = decision.act
            time = decision.act == .waits ? nil : decision.time.rfc3339
            (outcome, reason) = (decision.end, decision.reason)
        }
    }
    struct Difference: Encodable {
        let task: TaskIdentifier
        let nominal: String
        let alone: Decision?
        let inFleet: Decision?
        let reason: String?
    }

    let from: String
    let to: String
    let anyHost: Bool
    let slotCount: Int
    let tasks: [Task]
    let differences: [Difference]

    init(_ comparison: FleetComparison) {
        let replay = comparison.replay
        from = comparison.start.rfc3339
        to = comparison.end.rfc3339
        anyHost = comparison.isAnyHost
        slotCount = replay.slots.count
        tasks = comparison.tasks.map { task in
            let own = replay.slots.filter { $0.task == task.identifier }
            return Task(
                task: task.identifier, slotCount: own.count, differentCount: own.count { !$0.isAlike })
        }
        differences = replay.differences.map {
            Difference(
                task: $0.task, nominal: $0.nominal.rfc3339, alone: $0.alone.map(Decision.init),
                inFleet: $0.fleet.map(Decision.init), reason: $0.reason)
        }
    }
}
