import LullAnswers
import LullModel
import LullWorkers
import Testing

@testable import LullCommands
@testable import lull

/// The first lines that a person sees: the failing tasks, and why they fail.
struct StatusTextTests {
    private static let now = WallTime(seconds: 1_795_276_800)
    private let phrases = Phrases(now: now, zone: .utc)
    private let app: AppIdentifier

    init() throws { app = try #require(AppIdentifier("com.example.App")) }

    private func status(
        _ name: String, _ outcome: Outcome? = .succeeded, _ reason: String? = nil, failures: Int = 0
    ) throws -> StatusReport.TaskStatus {
        let task = try #require(TaskIdentifier("com.example.App.\(name)"))
        let gate = GateVerdict(
            failures > 0 ? .backoff : .earliestBegin, isOpen: false, reason: "it is not due",
            since: Self.now - .minutes(1), until: Self.now + .minutes(4))
        var status = StatusReport.TaskStatus(
            task: task, app: app, kind: .processing, running: [], lastRun: RunID(1),
            lastLaunched: Self.now - .minutes(2), lastOutcome: outcome, lastMilliseconds: 40,
            lastReason: reason, pending: nil, verdict: Verdict(task: task, gates: [gate]))
        status.failures = failures
        status.next = .at(Self.now + .minutes(4))
        return status
    }

    private func text(
        _ tasks: [StatusReport.TaskStatus], columns: Int = 80, sinks: [StatusReport.SinkStatus]? = nil
    ) -> [String] {
        var report = StatusReport(time: Self.now, conditions: nil, apps: [], tasks: tasks)
        report.remarks = nil
        report.sinks = sinks
        return StatusText(report: report, phrases: phrases).rendered(for: Terminal(columns: columns))
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `a task that fails, shown alone, has no empty table beside it`() throws {
        let lines = text([try status("nightly", .failed, "it failed", failures: 1)])
        #expect(
            lines.contains { $0.hasPrefix("FAILING TASK") } && !lines.contains { $0.contains("OTHER TASK") })
        #expect(text([]).contains { $0.hasPrefix("TASK") })
    }

    @Test func `many pauses are told in one line, and few each`() throws {
        var report = StatusReport(time: Self.now, conditions: nil, apps: [], tasks: [])
        func pauses(_ count: Int) throws -> [String] {
            report.pauses = try (0..<count).map {
                Pause(
                    .task(try #require(TaskIdentifier("com.example.App.t\($0)"))), since: Self.now,
                    until: nil, reason: nil)
            }
            return StatusText(report: report, phrases: phrases).rendered(for: Terminal(columns: 400))
                .split(separator: "\n").map(String.init).filter { $0.contains("pause") }
        }
        #expect(try pauses(3).count == 3)
        let one = try pauses(20)
        #expect(
            one.count == 1 && one[0].hasPrefix("20 pauses hold tasks back: ")
                && one[0].contains(" and 17 more. "))
    }

    @Test func `a night hears of a plugin that can't be loaded, and of no handler whose loss has no time`()
        throws
    {
        var broken = try status("nightly")
        let gate = GateVerdict(
            .registered, isOpen: false, reason: "the plugin can't be loaded: no such file", since: Self.now)
        broken.verdict.gates = [gate]
        func lacks(trouble: String?) -> [TaskIdentifier: GateVerdict] {
            let status = StatusReport.AppStatus(
                app: app, isEnabled: true, isIdle: false, lastUsed: nil, discovered: Self.now, idlesAt: nil,
                worker: "none", trouble: trouble)
            return StatusReport(time: Self.now, conditions: nil, apps: [status], tasks: [broken]).lacks
        }
        #expect(lacks(trouble: "no such file") == [broken.task: gate])
        #expect(lacks(trouble: nil) == [:])
    }

    @Test func `a pause says by whom and why`() throws {
        var report = StatusReport(time: Self.now, conditions: nil, apps: [], tasks: [])
        report.pauses = [
            Pause(.all, since: Self.now, reason: "new disk", by: "anna"),
            Pause(.app(try #require(AppIdentifier("com.example.App"))), since: Self.now, by: "token phone"),
        ]
        let text = StatusText(report: report, phrases: phrases).rendered(for: Terminal(columns: 400))
        #expect(text.contains("Every task is paused until somebody resumes it, by anna: new disk. "))
        #expect(text.contains("com.example.App is paused until somebody resumes it, by token phone. "))
    }

    @Test func `notices that are held back are told, with when their summary comes`() throws {
        var sink = StatusReport.SinkStatus(
            sink: "journal", delivered: nil, failures: 0, trouble: nil, waiting: 0)
        #expect(text([], columns: 400, sinks: [sink]).filter { $0.contains("journal") } == [])
        (sink.held, sink.heldUntil) = (12, Self.now + .minutes(20))
        #expect(
            text([], columns: 400, sinks: [sink]).first
                == "12 notices for journal are held back, because there were too many; one summary follows at 16:20. "
                + "`lull history --event notice` shows them.")
    }

    @Test func `what fails stands first, with its outcome, how often in a row, and its last lines`() throws {
        let told = PrintedLast(
            sentence: "the command failed with exit code 23.",
            lines: [
                "rsync: change_dir \"/nosuch\" failed: No such file or directory (2)", "rsync error: code 23",
            ])
        let lines = text([
            try status("fine"), try status("nightly", .failed, told.reason, failures: 3), try status("other"),
        ])
        #expect(
            lines.prefix(9) == [
                "3 tasks: 1 failing, 2 waiting.", "",
                "FAILING TASK             LAST RUN", "    WHY",
                "com.example.App.nightly  failed 3×, 2 min ago",
                "    the command failed with exit code 23",
                "    │ rsync: change_dir \"/nosuch\" failed: No such file or directory (2)",
                "    │ rsync error: code 23", "    → again in 4 min, at 16:04",
            ])
        #expect(lines.contains { $0.hasPrefix("OTHER TASK") })
        #expect(lines.count { $0.contains("com.example.App.nightly") } == 1)
        #expect(lines.contains { $0.hasPrefix("com.example.App.fine") })
    }

    @Test func `when all is well the summary says so`() throws {
        var cut = try status("cut", .expired, "it was told to end (the host was shutting down)")
        cut.lastGates = ["shutting_down"]
        let lines = text([try status("fine"), cut], columns: 120)
        #expect(lines.first == "2 tasks: none failing, 2 waiting.")
        #expect(
            lines.contains {
                $0.hasPrefix("com.example.App.cut ")
                    && $0.hasSuffix(
                        "expired, 2 min ago  run 1 was cut short: the host was shutting down; next 16:04")
            }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("TASK") } && !lines.contains { $0.contains("FAILING") })
    }

    @Test func `one run that expired by its time limit fails, as the night and the notices have it`() throws {
        #expect(
            text([try status("fine"), try status("slow", .expired)]).first == "2 tasks: 1 failing, 1 waiting."
        )
        var killed = try status("slow", .killed, "the host was shutting down: killed")
        #expect(killed.isFailing)
        killed.lastGates = ["shutting_down"]
        #expect(!killed.isFailing)
        killed.failures = 1
        #expect(killed.isFailing)
    }

    @Test func `many tasks of a crontab are a line each at 80 columns, and one kind needs no column`() throws
    {
        let many = try (10..<41).map { try status("task_\($0)") }
        let rows = text(many).drop { !$0.hasPrefix("TASK") }.filter { !$0.isEmpty }
        #expect(rows.count == 32, "\(rows)")
        #expect(rows.first.map { !$0.contains("KIND") } == true)
        #expect(rows.last == "com.example.App.task_40  waits  ok, 2 min ago  next 16:04")
        var late = many
        late[3].next = nil
        late[3].verdict.gates = [
            GateVerdict(.load, isOpen: false, reason: "the load is 7 per core", since: Self.now - .hours(1)),
            GateVerdict(.network, isOpen: false, reason: "there is none"),
        ]
        #expect(
            text(late, columns: 100).contains {
                $0.hasSuffix("ok, 2 min ago  load too high, no network since 15:00")
            })
    }

    @Test func `who can't be notified is told of first, with the error and what to do`() throws {
        let deaf = StatusReport.SinkStatus(
            sink: "mail ops@example.org", delivered: nil, failures: 2, trouble: "there is no sendmail",
            waiting: 3)
        let fine = StatusReport.SinkStatus(
            sink: "journal", delivered: Self.now, failures: 0, trouble: nil, waiting: 0)
        let lines = text([try status("fine")], columns: 120, sinks: [deaf, fine])
        #expect(
            lines.prefix(2).joined(separator: " ")
                == "mail ops@example.org could not be notified: there is no sendmail. 3 notices wait for it. Fix it and try it with `lull notify test`, or take it out of `notify`."
        )
        #expect(!lines.contains { $0.contains("journal") })
        let heartbeat = StatusReport.SinkStatus(
            sink: "heartbeat hc-ping.com #1", delivered: nil, failures: 1, trouble: "it exited with 28.",
            waiting: 0)
        #expect(
            text([try status("fine")], columns: 120, sinks: [heartbeat]).prefix(2).joined(separator: " ")
                == "heartbeat hc-ping.com #1 could not be reached: it exited with 28. Fix it, or take it out of the manifest; the next sign of life tries it again."
        )
    }

    @Test func `a failure that the manifest may have mended since says so first`() throws {
        var edited = try status("nightly", .failed, "exit code 1.", failures: 2)
        edited.isEdited = true
        let lines = text([edited])
        let first = try #require(lines.firstIndex { $0.hasPrefix("com.example.App.nightly") })
        #expect(
            Array(lines[(first + 1)...(first + 3)]) == [
                "    changed in the manifest since: the next run uses the new settings", "    exit code 1",
                "    → again in 4 min, at 16:04",
            ])
        #expect(
            TopRow(edited, TopUsage(), phrases).why
                == "changed in the manifest since: the next run uses the new settings")
    }

    @Test func `what fails and runs again is not said to be waited for`() throws {
        var again = try status("nightly", nil, failures: 2)
        again.running = [RunID(85)]
        #expect(TaskLine(status: again, phrases: phrases).cause(quoting: 3, in: 80) == "run 85 is under way")
    }

    @Test func `the manifest in force is named, and the limits of this machine only where some are not kept`()
        throws
    {
        var report = StatusReport(time: Self.now, conditions: nil, apps: [], tasks: [try status("fine")])
        report.inForce = .init(
            path: "/etc/lull/jobs.yaml", since: Self.now - .minutes(356), apps: 1, tasks: 9)
        func text(_ landlock: Int) -> String {
            let enforcement = Enforcement(landlock: landlock, filtersCalls: true, isRoot: true)
            return StatusText(report: report, phrases: phrases, enforcement: enforcement)
                .rendered(for: Terminal(columns: 120))
        }
        #expect(text(7).contains("\n/etc/lull/jobs.yaml is in force since 10:04: 1 app, 9 tasks.\n"))
        report.inForce?.trouble = "It has an error."
        #expect(
            text(7).contains(
                "\nThe manifest of 10:04 is in force, not /etc/lull/jobs.yaml as it is now: 1 app, 9 tasks.\n"
            ))
        #expect(!text(7).contains("Limits") && !text(7).contains("kept"))
        #expect(text(0).contains("Not enforced: files (the kernel has no Landlock)"))
    }

    @Test func `behind a run that is under way stands no empty progress`() throws {
        var running = try status("a")
        running.running = [RunID(4)]
        running.progress = [RunProgress(run: RunID(4), since: Self.now)]
        #expect(TaskLine(status: running, phrases: phrases).why == "run 4 is under way")
        running.outdated = [RunID(4)]
        #expect(
            TaskLine(status: running, phrases: phrases).why
                == "run 4 is under way, with the manifest before the last change")
        running.running.append(RunID(5))
        #expect(
            TaskLine(status: running, phrases: phrases).why
                == "run 4, 5 is under way; run 4 with the manifest before the last change")
    }

    @Test func `of very many each has one line, and none is wider than the terminal`() throws {
        let long = PrintedLast(sentence: "it failed.", lines: ["one", String(repeating: "word ", count: 40)])
        let many = try (10..<40).map { try status("t\($0)", .failed, long.reason, failures: 1) }
        let lines = text(many, columns: 60)
        #expect(!lines.contains { $0.contains("│ one") })
        #expect(lines.count { $0.contains("│ word") } == 30)
        #expect(lines.allSatisfy { $0.displayWidth <= 60 })
    }

    @Test func `top puts first what fails, also while it runs`() throws {
        var running = try status("a")
        running.running = [RunID(4)]
        var again = try status("z", nil, failures: 2)
        again.running = [RunID(5)]
        let tasks = [try status("b"), running, again, try status("y", .crashed, "signal 11")]
        let names = TopModel.Order.state.sorted(tasks, TopUsage()).map { $0.task.text.suffix(1) }
        #expect(names == ["y", "z", "a", "b"])
        #expect(TopRow(tasks[3], TopUsage(), phrases).state.text == "fails")
        #expect(TopRow(try status("x", .failed, failures: 3), TopUsage(), phrases).state.text == "fails 3×")
    }
}

/// A night with failures, tasks that were held back, and many that had nothing to do.
struct NightTextTests {
    private static let from = WallTime(seconds: 1_795_219_200)
    private let app: AppIdentifier

    init() throws { app = try #require(AppIdentifier("com.example.App")) }

    private func event(
        _ name: HistoryEvent.Name, _ task: String, hours: Int, run: UInt64? = nil, gates: [String]? = nil,
        outcome: Outcome? = nil, reason: String? = nil
    ) -> HistoryEvent {
        var event = HistoryEvent(
            name, at: Self.from + .hours(hours), app: app, task: TaskIdentifier("com.example.App.\(task)"),
            request: RequestID(1), run: run.map { RunID($0) }, outcome: outcome, reason: reason)
        event.gates = gates
        event.kind = .processing
        return event
    }

    private func text(showsAll: Bool = false, quiet: Int = 57) throws -> String {
        let told = PrintedLast(sentence: "exit code 1.", lines: ["Traceback", "KeyError: 'a'"])
        let events = [
            event(.submitted, "held", hours: 1), event(.deferred, "held", hours: 1, gates: ["network"]),
            event(.launched, "well", hours: 2, run: 1),
            event(.completed, "well", hours: 3, run: 1, outcome: .succeeded),
            event(.launched, "bad", hours: 4, run: 2),
            event(.failed, "bad", hours: 5, run: 2, outcome: .failed, reason: told.reason),
            event(.launched, "bad", hours: 17, run: 3),
            event(.completed, "bad", hours: 18, run: 3, outcome: .succeeded),
        ]
        let names = ["well", "held"] + (0..<quiet).map { "q\($0)" } + ["bad"]
        let timeline = Timeline(
            of: names.compactMap { TaskIdentifier("com.example.App.\($0)") }, from: Self.from,
            to: Self.from + .hours(16), now: Self.from + .hours(20), zone: .utc, beginning: Self.from,
            events: events)
        return NightText(
            timeline: timeline, isCut: false, phrases: Phrases(now: Self.from + .hours(20), zone: .utc),
            showsAll: showsAll
        ).table(for: Terminal(columns: 120))
    }

    @Test func `failures come first, then what was held back, and what had nothing to do is a number`() throws
    {
        let lines = try text().split(separator: "\n").map(String.init)
        let order = lines.compactMap { line in
            ["bad", "held", "well"].first { line.hasPrefix("com.example.App.\($0) ") }
        }
        #expect(order == ["bad", "held", "well"])
        #expect(
            lines.contains { $0.hasSuffix("│ Traceback") }
                && lines.contains { $0.hasSuffix("│ KeyError: 'a'") })
        #expect(lines.contains("57 had nothing due; --all says why."))
        #expect(!lines.contains { $0.contains("com.example.App.q1") })
        #expect(try text(showsAll: true).contains("com.example.App.q56"))
        #expect(
            lines.contains { $0.contains("failed") && $0.hasSuffix("exit code 1") }
                && lines.contains { $0.hasSuffix("Since then it ran well, at 17:00") }, "\(lines)")
        #expect(try text(quiet: 2).contains("2 (com.example.App.q0, com.example.App.q1) had nothing due"))
    }
}
