import ArgumentParser
import LullControl
import LullHistory
import LullHost
import LullModel
import LullWeb

struct NightCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "night", abstract: "Show what became of each task last night, and why.",
        usage: "lull night [<options>] [<name>]",
        discussion: """
            From 18:00 yesterday to 10:00 today, in the host's time zone. First come the tasks that failed, with the last \
            lines that they printed, then those that were due and did not run, and why, then those that ran. Those \
            that had nothing to do are counted; --all lists them. All of it is read from the history as it was \
            recorded then. With a task, everything that held it back is listed.

            Examples:
              lull night
              lull night nightly
              lull night --span week
              lull night --json | jq -r '.lanes[] | select(.result == "held").summary'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "Only this task, such as com.example.ColorFeed.refresh.") var name: TaskName?
    @Option(help: ArgumentHelp("The last night, or the day or week until now.", valueName: "span"))
    var span = TimelineSpan.night
    @Flag(help: "Also list the tasks that had nothing to do.") var all = false
    @Flag(help: "Print JSON.") var json = false
    var manifest: String? { manifestOption.path }

    func run() throws {
        let report = try status()
        let all = report.tasks.map(\.task).filter { !$0.isWildcard }
        let task = try name.map { try NameResolver(report).task($0.text) }
        if let task, !all.contains(task) {
            throw Failure("\(task) is no task of this host. `lull status` lists them.")
        }
        let phrases = Phrases.current
        let range = span.range(at: phrases.now, in: phrases.zone)
        do {
            let history = try SQLiteHistory.open(folder: options.checkedFolder().path, mode: .readOnly)
            let read = try Timeline.read(
                of: task.map { [$0] } ?? all, disabled: report.disabledTasks, from: range.from, to: range.to,
                now: phrases.now, zone: phrases.zone, in: history)
            if json {
                return try Output.json(
                    TimelineJSON(read.timeline, zone: phrases.zone, isCut: read.isCut, showsPrinted: true))
            }
            let text = NightText(
                timeline: read.timeline, isCut: read.isCut, phrases: options.phrases, showsAll: self.all)
            Output.answer(styled: task == nil ? text.table(for: .output) : text.hours(for: .output))
        } catch let error as HistoryError {
            if case .missing = error {
                return Output.answer("Nothing has been recorded in \(options.folder.path) yet.")
            }
            throw Failure(error.message + "\n" + error.fix)
        }
    }
}

extension TimelineSpan: ExpressibleByArgument {}

extension StatusReport {
    var disabledTasks: Set<TaskIdentifier> {
        Set(
            tasks.filter { task in task.verdict.gates.contains { $0.gate == .enabled && !$0.isOpen } }.map(
                \.task))
    }
}
