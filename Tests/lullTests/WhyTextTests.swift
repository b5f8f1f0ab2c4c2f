import Foundation
import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// The text of `lull why`, without a host, at 80 columns.
struct WhyTextTests {
    private let task: TaskIdentifier
    private let app: AppIdentifier
    private let time = WallTime(seconds: 1_795_276_800)

    init() throws {
        task = try #require(TaskIdentifier("com.example.App.nightly"))
        app = try #require(AppIdentifier("com.example.App"))
    }

    private func text(
        _ gates: [GateVerdict], needsHost: Bool = false, showsAll: Bool = false,
        _ change: (inout StatusReport.TaskStatus) -> Void = { _ in }
    ) -> WhyText {
        let closed = gates.filter { !$0.isOpen }
        var outlook = Outlook(task: task, time: time)
        outlook.gates = closed.map {
            Outlook.Gate($0.gate, .likely(half: time + .hours(1), most: time + .hours(9)))
        }
        outlook.needsHost = needsHost
        outlook.unknown = "too little is known of its conditions"
        let verdict = Verdict(task: task, gates: gates)
        var status = StatusReport.TaskStatus(
            task: task, app: app, kind: .processing, running: [], lastRun: RunID(12),
            lastLaunched: time - .hours(14), lastOutcome: .succeeded, lastMilliseconds: 180_000,
            lastReason: nil, pending: nil, verdict: verdict)
        change(&status)
        return WhyText(
            verdict: verdict, status: status, outlook: outlook,
            phrases: Phrases(now: time, zone: .utc), showsAll: showsAll)
    }

    private func rendered(_ text: WhyText) -> String { text.rendered(for: Terminal(columns: 80)) }

    private let permitted = GateVerdict(.permitted, isOpen: true, reason: "permitted at jobs.yaml:7")

    @Test func `what may run says so, and no more`() {
        let text = text([permitted])
        #expect(text.headline == "com.example.App.nightly may run: every gate is open.")
        #expect(text.first == nil)
        #expect(
            rendered(text) == """
                com.example.App.nightly may run: every gate is open.
                Last run 14 h ago (run 12): succeeded after 3 min.

                --all shows the other gate.
                """)
    }

    @Test func `a run of the time to come was before the clock was set back`() {
        let text = text([permitted]) { $0.lastLaunched = time + .hours(1) }
        #expect(text.lastRun?.hasPrefix("Last run before the clock was set back from 17:00 (run 12)") == true)
    }

    @Test func `a host that ended a moment ago is no host`() {
        var text = text([permitted])
        text.isHostGone = true
        #expect(text.headline == "com.example.App.nightly waits for a host: every gate is open.")
    }

    @Test func `what has run since an absence says so`() {
        func background(ranAt launched: WallTime) -> [String] {
            text([permitted]) {
                $0.dueWhileAbsent = DueWhileAbsent(
                    due: time - .hours(2), from: time - .hours(3), until: time - .hours(1), cause: .stopped)
                $0.lastLaunched = launched
            }.background()
        }
        #expect(background(ranAt: time - .minutes(50)).first?.hasSuffix(". It has run since.") == true)
        #expect(background(ranAt: time - .hours(4)).first?.contains("since") == false)
    }

    @Test func `what waits for several things is told to do what opens the last of them`() {
        let room = GateVerdict(
            .concurrency, isOpen: false, reason: "it waits for a", remedy: "end it with `lull stop a`")
        let soon = GateVerdict(
            .earliestBegin, isOpen: false, reason: "not before 17:00", until: time + .hours(1),
            remedy: "launch it now")
        let late = GateVerdict(
            .window, isOpen: false, reason: "its window opens at 01:00", until: time + .hours(9),
            remedy: "change its windows")
        #expect(text([room]).first == "End it with `lull stop a`")
        #expect(text([room, soon]).first == "Launch it now")
        #expect(text([soon, room, late]).first == "Change its windows")
    }

    @Test func `what could not be started says why before all else`() {
        let handler = GateVerdict(.registered, isOpen: false, reason: "its app has not been discovered yet")
        let failed = GateVerdict(.backoff, isOpen: false, reason: "this machine knows no account 'ghost'")
        #expect(
            text([handler, failed]).headline
                == "com.example.App.nightly waits: this machine knows no account 'ghost'.")
    }

    @Test func `what may run waits for a host where none runs`() {
        var text = text([permitted])
        text.absent = .init(since: time - .hours(1), cause: .stopped)
        #expect(text.headline == "com.example.App.nightly waits for a host: every gate is open.")
        #expect(
            rendered(text).contains("\nNo host has run since 15:00, so nothing is launched."))
    }

    @Test func `what it missed while no host ran, what broke its chain and its schedule are told`() throws {
        let load = try #require(TaskIdentifier("com.example.App.load"))
        let text = text([permitted]) {
            $0.repeats = .minutes(90)
            $0.dueWhileAbsent = DueWhileAbsent(
                due: time - .hours(2), from: time - .hours(3), until: time - .hours(1), cause: .lost)
            $0.brokenChain = ChainBreak(task: load, outcome: .killed, ended: time - .minutes(30))
        }
        #expect(
            text.background() == [
                "Its schedule: every 1 h 30 min.",
                "It was due at 14:00, and no host is known to have run from 13:00 to 15:00: it was killed or crashed.",
                "Nothing started it: com.example.App.load was killed at 15:30. `lull why com.example.App.load` says more.",
            ])
        #expect(rendered(text).contains("It was due at 14:00"))
        var now = self.text([permitted]) {
            $0.dueWhileAbsent = DueWhileAbsent(
                due: time - .hours(2), from: time - .hours(3), until: time, cause: .stopped)
        }
        // A host has just begun.
        #expect(now.background() == ["It was due at 14:00, and no host ran from 13:00 to 16:00."])
        now.absent = .init(since: time - .hours(3), cause: .stopped)
        #expect(now.background() == ["It was due at 14:00, and no host ran from 13:00 to now."])
    }

    @Test func `what runs says since when, and nothing of the last run`() {
        let full = GateVerdict(.concurrency, isOpen: false, reason: "it is already running")
        let text = text([permitted, full]) {
            $0.running = [RunID(12)]
            $0.lastLaunched = time - .minutes(3)
            $0.lastOutcome = nil
        }
        #expect(text.headline == "com.example.App.nightly has been running since 15:57, for 3 min (run 12).")
        #expect(text.lastRun == nil && !rendered(text).contains("Last run"))
    }

    @Test func `one gate that waits stands in the first line, with the one thing to do`() {
        let window = GateVerdict(
            .window, isOpen: false, reason: "it is outside 01:00-05:00, which opens tomorrow at 01:00",
            until: time + .hours(9), remedy: "launch it now with `lull launch com.example.App.nightly`")
        let lines = rendered(text([permitted, window])).split(separator: "\n").map(String.init)
        #expect(
            Array(lines.prefix(4)) == [
                "com.example.App.nightly waits: outside 01:00-05:00, which opens tomorrow at",
                "01:00.",
                "Last run 14 h ago (run 12): succeeded after 3 min.",
                "→ Launch it now with `lull launch com.example.App.nightly`.",
            ])
        #expect(!lines.contains { $0.contains("permitted") })
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test func `several gates are named in short, and a remedy is said once`() {
        let remedy = "launch it now with `lull launch com.example.App.nightly`"
        let gates: [GateName] = [.load, .window]
        let text = text(
            [permitted] + gates.map { GateVerdict($0, isOpen: false, reason: "closed", remedy: remedy) })
        #expect(text.headline == "com.example.App.nightly waits: load too high and outside its hours.")
        #expect(text.remedies == [remedy.sentenceCased])
        #expect(
            rendered(text).split(separator: remedy.prefix(13).dropFirst(), omittingEmptySubsequences: false)
                .count == 2)
        #expect(rendered(text).contains("load    closed  closed."))
    }

    @Test func `all shows the open gates too`() {
        let text = text([permitted, GateVerdict(.load, isOpen: false, reason: "closed")], showsAll: true)
        #expect(rendered(text).contains("permitted  open    permitted at jobs.yaml:7."))
        #expect(!rendered(text).contains("--all"))
    }

    @Test func `a gate that closes soon is shown while it is open`() {
        let idle = GateVerdict(
            .idleApp, isOpen: true, reason: "it was last used 5 d ago", closes: time + .days(2))
        #expect(rendered(text([permitted, idle])).contains("idle_app  open  it was last used 5 d ago."))
    }

    @Test func `no likelihood stands beside that none can be given`() {
        let printed = rendered(text([GateVerdict(.load, isOpen: false, reason: "closed")]))
        #expect(printed.contains("No likelihood can be given: too little is known of its conditions."))
        #expect(!printed.contains("likely to open"))
    }

    @Test func `a failure stands in the headline, and its backoff`() {
        let backoff = GateVerdict(
            .backoff, isOpen: false,
            reason: "it failed 3 times in a row, and runs no sooner than 2 min after that",
            until: time + .minutes(2), remedy: "try it now with `lull launch com.example.App.nightly`")
        let text = text([permitted, backoff]) {
            $0.lastOutcome = .failed
            $0.lastReason = "disk full"
        }
        #expect(
            text.headline
                == "com.example.App.nightly waits: it failed 3 times in a row, and runs no sooner than 2 min after that."
        )
        #expect(rendered(text).components(separatedBy: "disk full").count == 2)
        #expect(text.lastRun == "Last run 14 h ago (run 12): failed after 3 min, disk full.")
    }

    @Test func `what to do first comes first for the page too, in the same words`() {
        let time = GateVerdict(
            .earliestBegin, isOpen: false, reason: "its next time is 16:02", until: time + .minutes(2),
            remedy: "launch it now with `lull launch com.example.App.nightly`")
        let paused = GateVerdict(
            .paused, isOpen: false, reason: "it is paused", remedy: "end the pause with `lull resume nightly`"
        )
        #expect(
            text([time, paused]).remedies == [
                "End the pause with `lull resume nightly`",
                "launch it now with `lull launch com.example.App.nightly`",
            ])
        let failed = text([time]) { $0.lastOutcome = .failed }
        #expect(
            failed.remedies == [
                "Fix the cause, then try it with `lull launch com.example.App.nightly`"
            ])
    }

    @Test func `a failure from before an edit of the manifest says first that it may be mended`() {
        let gate = GateVerdict(
            .earliestBegin, isOpen: false, reason: "its next time is 16:02 today (UTC), in 2 min",
            until: time + .minutes(2), remedy: "launch it now with `lull launch com.example.App.nightly`")
        let text = text([permitted, gate]) {
            $0.lastOutcome = .failed
            $0.lastReason = "exit code 1"
            $0.isEdited = true
        }
        #expect(
            rendered(text).hasPrefix(
                """
                com.example.App.nightly was changed in the manifest since its last run, which
                failed with the old settings. Its next run uses the new ones.
                It waits: its next time is 16:02 today (UTC), in 2 min.
                Last run 14 h ago (run 12): failed after 3 min with the old settings, exit code
                1.

                → Try the new settings with `lull launch com.example.App.nightly`.
                """))
    }

    @Test func `of what is disabled nobody is missed who could ask for it`() {
        let gates: [GateName] = [.enabled, .requested]
        let text = text(
            [permitted] + gates.map { GateVerdict($0, isOpen: false, reason: "it is disabled in jobs.yaml") })
        #expect(text.headline == "com.example.App.nightly does not run: disabled in jobs.yaml.")
    }

    @Test func `a time that is left out is named, and the next one`() {
        var outlook = Outlook(task: task, time: time)
        outlook.gates = [.init(.paused, .at(time + .hours(4)))]
        outlook.leftOut = time + .hours(2)
        outlook.certain = time + .hours(26)
        let text = OutlookText(facts: outlook, phrases: Phrases(now: time, zone: .utc))
        #expect(
            text.paragraphs == [
                "Its time at 18:00 is left out: it can't be launched in time (`missed: skip`). "
                    + "It runs tomorrow at 18:00, in 1 d 2 h: only time holds it back."
            ])
        outlook.leftOut = time - .minutes(2)
        #expect(
            OutlookText(facts: outlook, phrases: text.phrases).paragraphs.first?.hasPrefix(
                "Its times since 15:58 are left out: they can't be launched in time (`missed: skip`). It runs"
            ) == true)
        outlook.leftOut = nil
        outlook.needsHost = true
        #expect(
            OutlookText(facts: outlook, phrases: text.phrases).paragraphs == [
                "No host is running. If one is started now, it runs tomorrow at 18:00, in 1 d 2 h: only time holds it back."
            ])
    }

    @Test func `what runs at each boot is not said to stay closed`() {
        var outlook = Outlook(task: task, time: time)
        outlook.gates = [.init(.earliestBegin, .unknown("it opens when the machine boots"))]
        outlook.isAtBoot = true
        let phrases = Phrases(now: time, zone: .utc)
        #expect(OutlookText(facts: outlook, phrases: phrases).paragraphs == [])
        outlook.needsHost = true
        #expect(
            OutlookText(facts: outlook, phrases: phrases).paragraphs == [
                "It runs once after each boot, if a host is started then; no host is running now."
            ])
    }

    @Test func `a pause without an end needs somebody, and one that never ran says so`() {
        let paused = GateVerdict(
            .paused, isOpen: false, reason: "it is paused by kim: new disk",
            remedy: "end the pause with `lull resume com.example.App.nightly`")
        let text = text([permitted, paused]) { $0.lastLaunched = nil }
        #expect(text.headline == "com.example.App.nightly does not run: paused by kim: new disk.")
        #expect(text.lastRun == "It has never run.")
        #expect(text.first == "End the pause with `lull resume com.example.App.nightly`")
    }

    @Test func `an idle app says so, and what brings it back`() throws {
        var report = StatusReport(time: time, conditions: nil, apps: [], tasks: [])
        report.apps = [
            .init(
                app: app, isEnabled: true, isIdle: true, lastUsed: time - .days(9), discovered: nil,
                idlesAt: nil, worker: "none", trouble: nil)
        ]
        let phrases = Phrases(now: time, zone: .utc)
        let why = try #require(AppWhyText(app, in: report, phrases: phrases))
        #expect(
            why.headline == "com.example.App is idle: last used 9 d ago, so none of its tasks is launched.")
        #expect(why.first == "Use the app, or record a use: `lull used com.example.App`.")
        report.pauses = [Pause(.all, since: time, until: time + .hours(2), reason: "by kim")]
        report.apps[0].isIdle = false
        let paused = try #require(AppWhyText(app, in: report, phrases: phrases))
        #expect(paused.headline == "com.example.App is paused until 18:00 by kim.")
    }

    @Test(arguments: [true, false])
    func `that no likelihood can be given is a sentence`(needsHost: Bool) {
        let text = text([GateVerdict(.load, isOpen: false, reason: "closed")], needsHost: needsHost)
        #expect(
            text.outlookText.paragraphs.first
                == (needsHost ? "No host is running, and no" : "No")
                + " likelihood can be given: too little is known of its conditions.")
    }
}
