import ArgumentParser
import LullControl
import LullHistory
import LullHost
import LullModel
import LullWeb

struct NightCommand: ParsableCommand, Asking {
    static let configuration = CommandConfiguration(
        commandName: "night", abstract: "Show what became of each task last night, and why.",
        discussion: """
            From yesterday 18:00 to today 10:00, in the host's time zone: which tasks ran, and what kept those from \
            running that did not, in the order of the night. Read from the history; nothing is judged anew. With a \
            task, all that held it back, as it was said then.

            Examples:
              lull night
              lull night nightly
              lull night --span week
              lull night --json | jq -r '.lanes[] | select(.result == "held") | .summary'
            """)

    @OptionGroup var options: StateOptions
    @OptionGroup var manifestOption: ManifestOption
    @Argument(help: "Only this task, such as com.example.ColorFeed.refresh.") var name: TaskName?
    @Option(help: ArgumentHelp("night, or day or week until now.", valueName: "span"))
    var span = TimelineSpan.night
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
                return try Output.json(TimelineJSON(read.timeline, zone: phrases.zone, isCut: read.isCut))
            }
            let text = NightText(timeline: read.timeline, isCut: read.isCut, phrases: phrases)
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

/// A timeline for people: each task in a line, or one task's stretches.
struct NightText {
    let timeline: Timeline
    let isCut: Bool
    let phrases: Phrases

    func table(for terminal: Terminal) -> String {
        var table = Table(header: ["TASK", "RESULT", "WHAT HAPPENED"])
        for lane in timeline.lanes {
            table.rows.append([.init(lane.task.text), result(lane), .init(Self.clause(lane.summary))])
        }
        let advice = "`lull night TASK` shows a task's hours, `lull why TASK` what keeps it now."
        return head + "\n\n" + table.rendered(for: terminal) + "\n" + advice
    }

    func hours(for terminal: Terminal) -> String {
        guard let lane = timeline.lanes.first else { return head }
        var table = Table(header: ["FROM", "TO", "WHAT", "AS IT WAS SAID THEN"])
        for stretch in lane.stretches {
            table.rows.append([
                .init(phrases.time(stretch.from)), .init(phrases.time(stretch.to)), .init(what(stretch)),
                .init(stretch.reason ?? ""),
            ])
        }
        return head + "\n\n" + table.rendered(for: terminal) + "\n" + lane.summary.harmless
    }

    private var head: String {
        "From \(phrases.time(timeline.from)) to \(phrases.time(timeline.to))"
            + (isCut ? "; only the newest events were read." : ".")
    }

    private func result(_ lane: Timeline.Lane) -> Table.Cell {
        switch lane.result(since: timeline.from) {
        case .ran: .init("ran", .green)
        case .failed: .init("failed", .red)
        case .held: .init("did not run", .yellow)
        case .quiet: .init("–", .dim)
        }
    }

    private func what(_ stretch: Timeline.Stretch) -> String {
        guard stretch.gates.isEmpty else {
            return stretch.gates.map(GateWords.short).joined(separator: ", ")
        }
        return switch stretch.state {
        case .running: "ran"
        case .waiting: "waited"
        case .moment: "waited for its moment"
        case .notDue: "not due"
        case .due: "about to be launched"
        case .unasked: "nobody asked for it"
        case .hostOff: "the host was off or asleep"
        case .unknown: "nothing is known"
        }
    }

    /// In a table's cell, beside its result: neither its words again nor a full stop.
    private static func clause(_ summary: String) -> String {
        let said = ["Did not run: ", "Nothing was due: "].first(where: summary.hasPrefix) ?? ""
        var text = String(summary.dropFirst(said.count))
        if text.last == "." { text.removeLast() }
        return text
    }
}
