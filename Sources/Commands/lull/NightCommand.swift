import ArgumentParser
import LullAnswers
import LullCommands
import LullControl
import LullHistory
import LullHost
import LullModel

struct NightCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "night", abstract: "Show how each task did last night, and why.",
        usage: "lull night [<options>] [<name>]",
        discussion: """
            The night is from 18:00 yesterday to 10:00 today, in the host's time zone. First come the tasks \
            that failed, with the last lines that they printed; then those that were due but did not run, and \
            why; then those that ran. Tasks with nothing due are only counted; --all lists them. All of this \
            comes from the history. With a task, it lists everything that held the task back.

            Examples:
              lull night
              lull night nightly
              lull night --span week
              lull night --before "2026-12-24 10:00"
              lull night --fleet
              lull night --json | jq -r '.lanes[] | select(.result == "held").summary'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "Only this task, such as com.example.ColorFeed.refresh.") var name: TaskName?
    @Option(help: ArgumentHelp("The last night, or the day or week until now.", valueName: "span"))
    var span = TimelineSpan.night
    @Option(
        help: ArgumentHelp(
            "The night, day or week before this time, instead of the last: \(TimeArgument.forms).",
            valueName: "time"),
        transform: TimeArgument.told)
    var before: TimeArgument?
    @Flag(help: "Also list the tasks that had nothing due.") var all = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var fleet: FleetFlag
    var manifest: String? { manifestOption.path }

    func run() throws {
        guard !fleet.fleet else { return try showFleet() }
        let report = try status(isBrief: true)
        let all = report.tasks.map(\.task).filter { !$0.isWildcard }
        var names = NameResolver(report)
        let folder = options.folder
        names.past = { PastTask.names(in: folder) }
        let task = try name.map { try names.task($0.text) }
        if let task, !all.contains(task), !names.past().contains(task) {
            throw Failure("\(task) is not a task of this host. `lull status` lists them.")
        }
        let phrases = Phrases.current
        let time = before?.time(ahead: false) ?? phrases.now
        guard time <= phrases.now else {
            throw Failure("`--before` is in the future. Give a time that has passed.")
        }
        let range = span.range(at: time, in: phrases.zone)
        do {
            let history = try SQLiteHistory.open(folder: options.checkedFolder().path, mode: .readOnly)
            let read = try Timeline.read(
                of: task.map { [$0] + report.tasks(before: $0) } ?? all, disabled: report.disabledTasks,
                lacks: report.lacks,
                isWhole: task == nil, chains: report.chains, absent: report.absent, from: range.from,
                to: range.to,
                now: phrases.now, zone: phrases.zone, in: history)
            let rises = try CostRise.read(of: task, since: range.from, until: range.to, in: history)
            if json {
                return try Output.json(
                    TimelineJSON(
                        read.timeline, rises: rises, zone: phrases.zone, isCut: read.isCut,
                        showsPrinted: true))
            }
            let text = NightText(
                timeline: read.timeline, isCut: read.isCut, phrases: options.phrases, showsAll: self.all,
                rises: rises)
            Output.answer(styled: task == nil ? text.table(for: .output) : text.hours(for: .output))
        } catch let error as HistoryError {
            if case .missing = error {
                return Output.answer("Nothing has been recorded in \(options.folder.path) yet.")
            }
            throw Failure(error.message + "\n" + error.fix)
        }
    }
}

extension NightCommand {
    /// The night of all hosts, as the fleet's database has it.
    private func showFleet() throws {
        let phrases = options.phrases
        let time = before?.time(ahead: false) ?? phrases.now
        let range = span.range(at: min(time, phrases.now), in: phrases.zone)
        let task = try name.map { try names().task($0.text) }
        let reader = try options.reader(manifest)
        let night = try askingFleet {
            try FleetNight.read(
                of: task, from: range.from, to: range.to, now: phrases.now, zone: phrases.zone, reader: reader
            )
        }
        if json { return try Output.json(FleetNightJSON(night, zone: phrases.zone)) }
        let text = FleetNightText(night: night, phrases: phrases, showsAll: all, isOfTask: task != nil)
        Output.answer(styled: text.rendered(for: .output))
    }
}

extension TimelineSpan: ExpressibleByArgument {}

extension StatusReport {
    /// The tasks before it in its chain, the nearest first.
    fileprivate func tasks(before task: TaskIdentifier) -> [TaskIdentifier] {
        let chains = chains
        var found = [task]
        var next = 0
        while next < found.count {
            found += (chains[found[next]] ?? []).map(\.task).filter { !found.contains($0) }
            next += 1
        }
        return Array(found.dropFirst())
    }
}
