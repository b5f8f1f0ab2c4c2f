import LullControl
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// `lull top` without a terminal: keys go in, lines come out.
struct TopTests {
    private static let now = WallTime(seconds: 1_795_276_800)
    private let phrases = Phrases(now: now, zone: .utc)

    private func status(_ name: String, _ running: [UInt64] = [], closed: [GateVerdict] = []) throws
        -> StatusReport.TaskStatus
    {
        let task = try #require(TaskIdentifier("com.example." + name))
        let app = try #require(AppIdentifier("com.example." + (name.split(separator: ".").first ?? "App")))
        var status = StatusReport.TaskStatus(
            task: task, app: app, kind: .processing, running: running.map { RunID($0) }, lastRun: nil,
            lastLaunched: running.isEmpty ? nil : Self.now - .seconds(42), lastOutcome: nil,
            lastMilliseconds: nil, lastReason: nil, pending: nil,
            verdict: Verdict(task: task, gates: closed))
        status.next = closed.compactMap(\.until).max().map { .at($0) }
        return status
    }

    private func model() throws -> TopModel {
        let waits = GateVerdict(
            .load, isOpen: false, reason: "load is 0.72 per core, over the 0.5 that is asked for",
            since: Self.now - .hours(2))
        let later = GateVerdict(
            .earliestBegin, isOpen: false, reason: "not before 13:00", until: Self.now + .hours(1))
        let disabled = GateVerdict(.enabled, isOpen: false, reason: "com.example.Off is disabled")
        var model = TopModel()
        model.hear(
            .status(
                StatusReport(
                    time: Self.now, conditions: nil, apps: [],
                    tasks: [
                        try status("Backup.nightly", closed: [waits]),
                        try status("Cleaning.everything.that.is.old", closed: [later]),
                        try status("Feed.refresh", [12]), try status("Off.never", closed: [disabled]),
                        try status("Ready.now"),
                    ])))
        return model
    }

    @Test(arguments: [20, 40, 80, 200], [2, 3, 8, 24])
    func `it fits the screen, whatever is shown`(columns: Int, rows: Int) throws {
        var model = try model()
        let task = try #require(TaskIdentifier("com.example.Feed.refresh"))
        model.hear(.why(Explanation(verdict: Verdict(task: task, gates: []), outlook: Outlook.of(task))))
        for keys in ["", "w", "?", "s"] {
            for key in keys { _ = model.press(.character(key)) }
            for _ in 0..<3 {
                let lines = model.lines(
                    ScreenSize(columns: columns, rows: rows), phrases: phrases, hasColour: false)
                #expect(lines.count <= rows, "\(lines)")
                for line in lines { #expect(line.displayWidth <= columns, "\(line)") }
                _ = model.press(.down)
            }
            _ = model.press(.escape)
        }
    }

    @Test func `what runs is first, with its time and what its worker uses`() throws {
        var model = try model()
        let app = try #require(AppIdentifier("com.example.Feed"))
        func load(_ milliseconds: Int64) -> [WorkerLoad] {
            [WorkerLoad(app: app, pid: 7, processes: 1, memory: 14 << 20, cpuMilliseconds: milliseconds)]
        }
        model.hear(.loads(load(1000), at: MonotonicTime(nanoseconds: 0)))
        model.hear(.loads(load(1800), at: MonotonicTime(nanoseconds: 1_000_000_000)))
        let lines = model.lines(ScreenSize(columns: 120, rows: 12), phrases: phrases, hasColour: false)
        #expect(lines[0] == "Lull 16:00 · 1 disabled, 1 running, 1 ready, 2 waiting")
        #expect(
            lines[1].split(separator: " ") == ["TASK", "STATE", "STARTED", "NEXT", "CPU", "MEMORY", "WHY"])
        #expect(lines[2].hasPrefix("> com.example.Feed.refresh"))
        for words in ["runs", "42 s ago", "80 %", "14 MiB", "run 12 is under way"] {
            #expect(lines[2].contains(words), "\(lines[2])")
        }
        #expect(lines[3].contains("Ready.now"))
        #expect(lines[4].contains("Off.never") && lines[4].contains(" disabled "))
        #expect(lines.contains { $0.hasPrefix("com.example.Feed.refresh: run 12 is under way") })
    }

    @Test func `at 80 columns the next time is a clock's, and what is paused is counted`() throws {
        var model = try model()
        var report = try #require(model.report)
        report.tasks[0].verdict.gates = [
            GateVerdict(.paused, isOpen: false, reason: "it is paused", until: Self.now + .hours(30))
        ]
        report.tasks[0].next = .at(Self.now + .hours(30))
        report.tasks[4].next = .afterBoot
        model.hear(.status(report))
        let lines = model.lines(ScreenSize(columns: 80, rows: 12), phrases: phrases, hasColour: false)
        #expect(lines[0] == "Lull 16:00 · 1 disabled, 1 paused, 1 running, 1 ready, 1 waiting")
        let rows = lines.filter { $0.contains("com.example.Backup.nightly") || $0.contains("old") }
        #expect(rows.contains { $0.contains(" paused ") && $0.contains(" tomorrow 22:00") }, "\(lines)")
        #expect(rows.contains { $0.contains(" waits ") && $0.contains(" 17:00") }, "\(lines)")
        #expect(lines.contains { $0.contains("Ready.now") && $0.contains("next boot") })
    }

    @Test func `keys select, ask why, launch, stop, sort and quit`() throws {
        var model = try model()
        let feed = try #require(TaskIdentifier("com.example.Feed.refresh"))
        let ready = try #require(TaskIdentifier("com.example.Ready.now"))
        #expect(model.press(.character("x")) == [.ask(.stop(feed))])
        #expect(model.press(.down) == [])
        #expect(model.selected == ready)
        #expect(model.press(.character("l")) == [.ask(.launch(ready))])
        #expect(model.press(.character("w")) == [.ask(.why(ready))])
        // The pane follows the selection, and is kept up to date.
        #expect(model.press(.up) == [.ask(.why(feed))])
        #expect(model.questions == [.loads, .why(feed)])
        #expect(model.press(.escape) == [])
        #expect(model.questions == [.loads])
        #expect(model.press(.end) == [])
        #expect(model.press(.character("s")) == [])
        #expect(model.order == .name)
        #expect(model.rows.map(\.task).first?.text == "com.example.Backup.nightly")
        _ = model.press(.character("s"))
        #expect(model.rows.map(\.task.text)[1] == "com.example.Cleaning.everything.that.is.old")
        #expect(model.press(.character("?")) == [])
        #expect(model.pane == .help)
        #expect(model.press(.character("q")) == [])
        #expect(model.press(.character("q")) == [.quit])
    }

    @Test func `the answer to a key is shown until the next`() throws {
        var model = try model()
        let size = ScreenSize(columns: 80, rows: 10)
        model.hear(.told("Launched as run 13."))
        #expect(model.lines(size, phrases: phrases, hasColour: false).last?.contains("run 13") == true)
        _ = model.press(.down)
        #expect(model.lines(size, phrases: phrases, hasColour: false).last?.contains("q quit") == true)
    }

    @Test func `a host that goes leaves what was known, and is asked nothing`() throws {
        var model = try model()
        model.hear(.gone("The host went away."))
        let lines = model.lines(ScreenSize(columns: 80, rows: 10), phrases: phrases, hasColour: false)
        #expect(lines.last == "The host went away.")
        #expect(lines.contains { $0.contains("Backup.nightly") })
        #expect(model.questions.isEmpty)
        #expect(model.press(.character("l")).isEmpty)
        model.hear(.status(try #require(model.report)))
        #expect(model.questions == [.loads])
    }
}

extension Outlook {
    fileprivate static func of(_ task: TaskIdentifier) -> Outlook {
        Outlook(task: task, time: WallTime(seconds: 0))
    }
}
