import ArgumentParser
import LullHistory
import LullHost
import LullModel
import LullScheduler
import LullSimulator
import LullSystem

struct FleetDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show what this host would have decided otherwise in a fleet.",
        usage: "lull fleet diff [<options>]",
        discussion: """
            Replays this host's history twice through the real scheduler on a virtual clock: as a host alone, and as \
            the only host of a fleet. It names each slot, which is one time of one task, that was run at another time, \
            or only by one of the two, with the gates that were closed. Uses, conditions, sleep, events and how long runs \
            took are taken from the history; the manifest is today's. Nothing is launched, and no database is asked: a \
            model of it answers, at once and always.

            --any-host treats each task with `at` or `repeat` as if it had `scope: any_host`, to try that before it is \
            written. Exits with 1 where anything is decided otherwise.

            Examples:
              lull fleet diff
              lull fleet diff --any-host
              lull fleet diff --last 30d --json
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Option(
        help: ArgumentHelp("How much of the history to replay: 14d, 36h.", valueName: "span"),
        transform: SpanArgument.told)
    var last = SpanArgument(span: .days(14))
    @Flag(help: "Take each task with times as if it had `scope: any_host`.") var anyHost = false
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        guard last.span <= .days(400) else { throw ValidationError("--last is 400 days at most.") }
    }

    func run() throws {
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
        let slots: Int
        let different: Int
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
        let fleet: Decision?
        let reason: String?
    }

    let from: String
    let to: String
    let anyHost: Bool
    let slots: Int
    let tasks: [Task]
    let differences: [Difference]

    init(_ comparison: FleetComparison) {
        let replay = comparison.replay
        from = comparison.start.rfc3339
        to = comparison.end.rfc3339
        anyHost = comparison.isAnyHost
        slots = replay.slots.count
        tasks = comparison.tasks.map { task in
            let own = replay.slots.filter { $0.task == task.identifier }
            return Task(
                task: task.identifier, slots: own.count, different: own.count { !$0.isAlike })
        }
        differences = replay.differences.map {
            Difference(
                task: $0.task, nominal: $0.nominal.rfc3339, alone: $0.alone.map(Decision.init),
                fleet: $0.fleet.map(Decision.init), reason: $0.reason)
        }
    }
}
