import LullAnswers
import LullControl
import LullHistory
import LullHost
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// No command writes the text of plugins and foreign files to the terminal unescaped.
struct TerminalSafeTextTests {
    private static let now = WallTime(seconds: 1_795_276_800)
    /// Colour, the window's title, back to the line's beginning, C1's CSI, text from right to left.
    private static let hostile = "so\u{1B}[31mred\u{1B}]0;title\u{7}\rgone\u{9B}2J\u{202E}drow\u{7F}"
    private let phrases = Phrases(now: now, zone: .utc)
    private let app: AppIdentifier
    private let task: TaskIdentifier
    private let terminal = Terminal(columns: 100)

    init() throws {
        app = try #require(AppIdentifier("com.example.App"))
        task = try #require(TaskIdentifier("com.example.App.nightly"))
    }

    private func expectTerminalSafe(
        _ text: String, mentions: Bool = true, _ name: String, at place: SourceLocation = #_sourceLocation
    ) {
        #expect(!mentions || text.contains("so␛[31mred"), "\(name) leaves it out", sourceLocation: place)
        for scalar in text.unicodeScalars where scalar != "\n" && scalar != "\t" {
            let steers =
                scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar == "\u{202E}"
            #expect(!steers, "\(name): \(text.debugDescription)", sourceLocation: place)
        }
    }

    private func report(running: [RunID] = []) -> StatusReport {
        let hostile = Self.hostile
        var status = StatusReport.TaskStatus(
            task: task, app: app, kind: .processing, running: running, lastRun: RunID(3),
            lastLaunched: Self.now - .hours(1), lastOutcome: .crashed, lastMilliseconds: 40,
            lastReason: hostile, pending: nil,
            verdict: Verdict(
                task: task,
                gates: [GateVerdict(.backoff, isOpen: false, reason: hostile, remedy: hostile)]))
        if !running.isEmpty {
            status.progress = [
                RunProgress(
                    run: running[0], title: hostile, subtitle: hostile, completed: 1, total: 2,
                    since: Self.now)
            ]
        }
        return StatusReport(
            time: Self.now, conditions: nil,
            apps: [
                .init(
                    app: app, isEnabled: true, isIdle: false, lastUsed: nil, discovered: nil, idlesAt: nil,
                    worker: "none", trouble: hostile)
            ], tasks: [status])
    }

    private func events() -> [HistoryEvent] {
        let launched = HistoryEvent(
            .launched, at: Self.now - .hours(1), app: app, task: task, run: RunID(3))
        var failed = HistoryEvent(
            .failed, at: Self.now - .minutes(59), app: app, task: task, run: RunID(3), outcome: .crashed)
        failed.reason = Self.hostile
        return [launched, failed]
    }

    @Test func `the tables and sentences of how things stand`() throws {
        for running in [[], [RunID(4)]] {
            let report = report(running: running)
            expectTerminalSafe(StatusText(report: report, phrases: phrases).rendered(for: terminal), "status")
            let why = WhyText(
                verdict: report.tasks[0].verdict, status: report.tasks[0],
                outlook: Outlook(task: task, time: Self.now), phrases: phrases)
            expectTerminalSafe(why.rendered(for: terminal), "why")
            for pane in ["", "w"] {
                var top = TopModel()
                top.hear(.status(report))
                let outlook = Outlook(task: task, time: Self.now)
                top.hear(.why(Explanation(verdict: report.tasks[0].verdict, outlook: outlook)))
                for key in pane { _ = top.press(.character(key)) }
                let lines = top.lines(
                    ScreenSize(columns: 200, rows: 30), phrases: phrases, hasColour: false)
                expectTerminalSafe(lines.joined(separator: "\n"), "top \(pane)")
            }
            var watch = StatusWatch()
            watch.hear(.status(report))
            watch.hear(.gone(Self.hostile))
            let lines = watch.lines(ScreenSize(columns: 200, rows: 30), phrases: phrases, hasColour: false)
            expectTerminalSafe(lines.joined(separator: "\n"), "status --watch")
        }
    }

    @Test func `what is told of a run and of a night`() throws {
        let history = MemoryHistory()
        let printed = OutputChunk(
            run: RunID(3), stream: .standardOutput, time: Self.now, bytes: Array((Self.hostile + "\n").utf8))
        try history.append(HistoryBatch(events: events(), outputs: [printed]))
        let account = try #require(try RunAccount(RunID(3), in: history))
        expectTerminalSafe(account.text(against: nil, phrases: phrases), "history RUN")
        expectTerminalSafe(LaunchCommand.text(of: task, RunID(3), .crashed, Self.hostile), "launch")
        let read = try Timeline.read(
            of: [task], from: Self.now - .hours(9), to: Self.now, now: Self.now, zone: .utc, in: history)
        let text = NightText(timeline: read.timeline, isCut: false, phrases: phrases)
        expectTerminalSafe(text.table(for: terminal), "night")
        expectTerminalSafe(text.hours(for: terminal), "night TASK")
    }

    @Test func `a refusal, and what a plugin logs`() {
        expectTerminalSafe(Failure(Self.hostile).description, "a refusal")
        expectTerminalSafe(LineLog.line(Self.hostile), "the log")
    }

    @Test func `the ends of lines and tabs stay in what a run printed`() {
        #expect("a\tb\nc\u{1B}\r\n".terminalSafeLines == "a\tb\nc␛␍\n")
    }
}
