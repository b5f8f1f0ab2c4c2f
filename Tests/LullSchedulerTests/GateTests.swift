import LullModel
import Testing

@testable import LullScheduler

/// Each gate alone, on either side of its boundary.
struct GateTests {
    private func input(_ kind: Kind = .refresh, _ change: (inout GateInput) -> Void = { _ in }) -> Told {
        let definition = Sample.definition(Sample.refresh, .refresh) { $0.kind = kind }
        var app = App(identifier: Sample.feed, plugin: "/plugins/feed.so")
        app.tasks = [definition]
        var record = TaskRecord(task: Sample.refresh, app: Sample.feed, touched: .at(0, 0))
        record.pending = TaskRequest(
            id: RequestID(1), task: Sample.refresh, app: Sample.feed, kind: kind, origin: .repeat,
            submitted: .at(0, 0))
        var appRecord = AppRecord(app: Sample.feed, touched: .at(0, 0))
        appRecord.discovered = .at(0, 0)
        appRecord.registered = [Sample.refresh]
        appRecord.stamp = "1"
        var input = GateInput(
            now: Now(wall: .at(0, 12), monotonic: .init(nanoseconds: 0)), task: Sample.refresh, host: .init(),
            definition: Shared(definition), app: Shared(app), record: Shared(record),
            appRecord: Shared(appRecord), stamp: "1")
        input.host.budget = 8
        input.host.conditions = .quiet
        input.tellsOpen = true
        input.sharing = .unshared
        change(&input)
        return Told(input: input)
    }

    @Test func `all gates are in the list, in the order of their names, and open by default`() {
        let evaluation = input().evaluate()
        #expect(evaluation.verdicts.map(\.gate) == GateName.allCases)
        #expect(evaluation.verdicts.allSatisfy { $0.isOpen && !$0.reason.isEmpty })
        #expect(evaluation.isReady && evaluation.score == 1)
    }

    @Test func `a decision is told of closed gates alone, and of its moment`() {
        let evaluation = input { $0.tellsOpen = false }.evaluate()
        #expect(evaluation.verdicts.map(\.gate) == [.moment] && evaluation.isReady)
        let barred = input {
            $0.tellsOpen = false
            $0.definition?.enabled = false
        }.evaluate()
        #expect(barred.verdicts.map(\.gate) == [.enabled, .moment])
    }

    @Test func `permitted`() {
        let unknown = input { $0.definition = nil }.permitted()
        #expect(unknown.reason == "it is not in jobs.yaml")
        #expect(unknown.remedy == "add it to the tasks of its app in jobs.yaml")
        let above = input { $0.record?.pending?.kind = .processing }.permitted()
        #expect(
            !above.isOpen
                && above.reason == "its request is of kind processing, and jobs.yaml permits refresh")
        let below = input(.processing) { $0.record?.pending?.kind = .refresh }.permitted()
        #expect(below.isOpen)
        let listed = input { $0.definition?.line = 9 }.permitted()
        #expect(listed.reason == "permitted as refresh at jobs.yaml:9")
    }

    @Test func `registered`() {
        #expect(input().registered().isOpen)
        let unseen = input { $0.appRecord?.discovered = nil }.registered()
        #expect(
            !unseen.isOpen && unseen.reason == "its app has not been discovered yet"
                && unseen.remedy == "have it started now with `lull launch com.example.Feed.refresh`")
        let missing = input { $0.appRecord?.registered = [] }.registered()
        #expect(!missing.isOpen && missing.reason == "the plugin registers no handler for it")
        let broken = input {
            $0.appRecord?.trouble = "undefined symbol: sqlite3_open"
            $0.appRecord?.troubleStamp = "1"
            $0.appRecord?.troubleSince = .at(0, 1)
        }
        let verdict = broken.registered()
        #expect(verdict.reason == "the plugin can't be loaded: undefined symbol: sqlite3_open")
        #expect(verdict.since == .at(0, 1))
        #expect(verdict.remedy?.contains("lull launch") == true)
        var repaired = broken
        repaired.stamp = "2"
        #expect(repaired.registered().isOpen)
    }

    @Test func `enabled`() {
        let byOperator = input { $0.appRecord?.disabledAt = .at(0, 3) }.enabled()
        #expect(!byOperator.isOpen && byOperator.since == .at(0, 3))
        #expect(byOperator.remedy == "enable it with `lull enable com.example.Feed`")
        let offApp = input { $0.app?.enabled = false }.enabled()
        #expect(offApp.reason == "com.example.Feed is disabled in jobs.yaml")
        let offTask = input { $0.definition?.enabled = false }.enabled()
        #expect(offTask.reason == "it is disabled in jobs.yaml")
    }

    @Test func `idle_app is open at exactly seven days and closed a millisecond later`() {
        func at(_ time: WallTime, _ change: (inout GateInput) -> Void = { _ in }) -> GateVerdict {
            input {
                $0.now.wall = time
                $0.appRecord?.lastUsed = .at(0, 0)
                change(&$0)
            }.idleApp()
        }
        #expect(at(.at(7, 0)).isOpen)
        let closed = at(.at(7, 0) + .milliseconds(1))
        #expect(!closed.isOpen && closed.since == .at(7, 0))
        #expect(closed.reason == "com.example.Feed was last used 7 d ago, and is idle after 7 d")
        #expect(closed.remedy?.contains("lull used com.example.Feed") == true)
        let never = at(.at(400, 0)) { $0.app?.idleAfter = nil }
        #expect(never.isOpen)
        let credited = at(.at(8, 0)) { $0.idleCredit = .days(1) }
        #expect(credited.isOpen)
        let unused = at(.at(8, 0)) { $0.appRecord?.lastUsed = nil }
        #expect(
            unused.reason
                == "com.example.Feed was discovered 8 d ago and has never been used, and is idle after 7 d")
    }

    @Test func `requested and earliest_begin`() {
        let unasked = input { $0.record?.pending = nil }.requested()
        #expect(!unasked.isOpen && unasked.reason == "nobody has asked for a launch")
        #expect(
            unasked.remedy
                == "ask for it with `lull submit com.example.Feed.refresh`, set `repeat` or `at` for it in jobs.yaml, or submit it from the plugin"
        )
        #expect(input().requested().reason == "the host, for `repeat`, asked for it at 00:00")
        let early = input { $0.record?.pending?.earliestBegin = .at(0, 12) + .milliseconds(1) }
            .earliestBegin()
        #expect(!early.isOpen && early.until == .at(0, 12) + .milliseconds(1))
        let due = input { $0.record?.pending?.earliestBegin = .at(0, 12) }.earliestBegin()
        #expect(due.isOpen)
        let later = input { $0.record?.pending?.earliestBegin = .at(1, 8) }.earliestBegin()
        #expect(later.reason == "not before Tuesday 08:00, in 20 h")
    }

    @Test func `window`() {
        let closed = input { $0.definition?.windows = [WindowCalendarTests.night] }.window()
        #expect(
            closed.reason == "it is outside 01:00-05:00, which opens tomorrow at 01:00"
                && closed.until == .at(1, 1))
        let always = input { $0.definition?.windows = [Window(opens: 0, closes: 1440, text: "00:00-24:00")] }
        #expect(always.window().isOpen)
    }

    @Test func `rate_limit is open again when the gap is over`() {
        let closed = input { $0.appRecord?.lastRefresh = .at(0, 12) - .minutes(15) + .milliseconds(1) }
            .rateLimit()
        #expect(!closed.isOpen && closed.until == .at(0, 12) + .milliseconds(1))
        #expect(closed.reason == "its app was refreshed at 11:45, and 15 min must pass between two refreshes")
        let gapOver = input { $0.appRecord?.lastRefresh = .at(0, 11, 45) }.rateLimit()
        #expect(gapOver.isOpen)
        let ofProcessing = input(.processing) { $0.appRecord?.lastRefresh = .at(0, 12) }.rateLimit()
        #expect(ofProcessing.isOpen)
        // A clock that was set back.
        let fromTheFuture = input { $0.appRecord?.lastRefresh = .at(5, 0) }.rateLimit()
        #expect(fromTheFuture.isOpen)
    }

    @Test
    func `rate_limit lets a plugin's processing request wait for a minute, or as long as its last run took`()
    {
        func gate(_ milliseconds: Int64, _ origin: TaskRequest.Origin, ended: WallTime) -> GateVerdict {
            input(.processing) {
                $0.record?.pending?.origin = origin
                $0.record?.lastEnded = ended
                $0.record?.lastMilliseconds = milliseconds
            }.rateLimit()
        }
        let closed = gate(10, .plugin, ended: .at(0, 11, 59) + .milliseconds(1))
        #expect(!closed.isOpen && closed.until == .at(0, 12) + .milliseconds(1))
        #expect(
            closed.reason
                == "the plugin asks for it again, and 1 min must pass between the end of a run and the next")
        #expect(closed.remedy == "launch it now with `lull launch com.example.Feed.refresh`")
        #expect(gate(10, .plugin, ended: .at(0, 11, 59)).isOpen)
        #expect(gate(600_000, .plugin, ended: .at(0, 11, 55)).until == .at(0, 12, 5))
        #expect(gate(600_000, .plugin, ended: .at(0, 11, 50)).isOpen)
        #expect(gate(600_000, .operator, ended: .at(0, 12)).isOpen)
        #expect(gate(600_000, .repeat, ended: .at(0, 12)).isOpen)
        // A clock that was set back.
        #expect(gate(600_000, .plugin, ended: .at(5, 0)).isOpen)
    }

    @Test func `budget`() {
        let spent = input { for _ in 0..<16 { $0.host.spending.note(launchAt: .at(0, 8)) } }.budget()
        #expect(
            spent.reason
                == "16 refresh launches in the last 24 h, of 8 a day on average, and never more than twice that"
        )
        #expect(spent.until == .at(1, 8))
        let left = input { for _ in 0..<15 { $0.host.spending.note(launchAt: .at(0, 8)) } }.budget()
        #expect(left.isOpen && left.reason == "15 refresh launches in the last 24 h, of 8 a day on average")
        let nothing = input { $0.host.budget = 0 }.budget()
        #expect(nothing.reason == "no refresh launches are budgeted")
        let unbudgeted = input(.processing) { $0.host.budget = 0 }.budget()
        #expect(unbudgeted.isOpen)
    }

    @Test func `backoff`() {
        func failed(_ times: Int, at time: WallTime) -> GateVerdict {
            input {
                $0.record?.failures = times
                $0.record?.failedAt = time
                $0.record?.lastReason = "no route"
            }.backoff()
        }
        let once = failed(1, at: .at(0, 12) - .seconds(29))
        #expect(!once.isOpen && once.until == .at(0, 12) + .seconds(1))
        #expect(once.reason == "it failed, and runs no sooner than 30 s after that")
        #expect(failed(1, at: .at(0, 12) - .seconds(30)).isOpen)
        #expect(failed(3, at: .at(0, 12)).reason.hasPrefix("it failed 3 times in a row, and"))
        #expect(failed(3, at: .at(0, 12)).until == .at(0, 12) + .seconds(120))
        #expect(failed(40, at: .at(0, 12)).until == .at(0, 17))
        #expect(failed(40, at: .at(9, 0)).isOpen)
    }

    @Test func `concurrency`() {
        let itself = input { $0.runsOfTask = 1 }.concurrency()
        #expect(itself.reason == "it is already running")
        let ofApp = input { $0.runsOfApp = 4 }.concurrency()
        #expect(
            ofApp.reason
                == "4 runs of its app are under way, and the app may have 4 at once")
        let ofHost = input { $0.host.running = 4 }.concurrency()
        #expect(
            ofHost.reason
                == "4 runs are under way, and the host has at most 4 at once")
        let second = input {
            $0.runsOfTask = 1; $0.definition?.concurrency = 2
        }.concurrency()
        #expect(second.isOpen)
        let waiting = input { $0.runsOfTask = 1 }.evaluate()
        #expect(waiting.isReady == false)
        let ready = input { $0.host.running = 4 }.evaluate()
        #expect(ready.isReady)
    }

    @Test func `a closed gate says what a person can do`() {
        let dark = Conditions(
            externalPower: .unknown("AC/online is empty"), battery: .known(0.1), network: .known(.none),
            presence: .known(.active), load: 3, diskFree: 0)
        let verdicts = input {
            $0.definition?.requires = Requirements(
                network: .unmetered, externalPower: true, batteryAbove: 0.2, idle: true, loadBelow: 1,
                diskFree: 1)
            $0.definition?.windows = [WindowCalendarTests.night]
            $0.host.conditions = dark
            $0.host.running = 4
            $0.host.isShuttingDown = true
            $0.sharing = .draining(.init())
            $0.appRecord?.lastRefresh = .at(0, 12)
            $0.appRecord?.lastUsed = .at(-30, 0)
            $0.appRecord?.disabledAt = .at(0, 0)
            $0.appRecord?.pause = Pause(.app(Sample.feed), since: .at(0, 0))
            $0.definition?.quiet = [Window(opens: 0, closes: 1439, text: "00:00-23:59")]
            $0.appRecord?.registered = []
            $0.record?.failures = 1
            $0.record?.failedAt = .at(0, 12)
            $0.host.budget = 0
            $0.host.costLimits = [CostLimit(.read, 1, span: .days(1))]
            $0.host.costs.note(RunCost(read: 1), over: [.read: .days(1)], at: .at(0, 12))
            $0.app?.limits.disk = 1 << 30
            $0.folderUse = FolderUse(bytes: 3 << 30)
            $0.record?.pending?.earliestBegin = .at(1, 0)
        }.evaluate().verdicts.filter { !$0.isOpen }
        let open: Set<GateName> = [.permitted, .requested, .moment]
        #expect(Set(verdicts.map(\.gate)) == Set(GateName.allCases).subtracting(open))
        for verdict in verdicts { #expect(verdict.remedy != nil, "\(verdict.gate)") }
        #expect(
            verdicts.first { $0.gate == .externalPower }?.remedy
                == "make sure that Lull can read what it names, or launch it now with `lull launch com.example.Feed.refresh`"
        )
    }

    @Test func `folder`() {
        #expect(input().folder().reason == "its app's folder has no limit")
        let unseen = input { $0.app?.limits.disk = 1 << 30 }.folder()
        #expect(unseen.isOpen && unseen.reason == "Lull has not measured its app's folder yet")
        let limited = input {
            $0.app?.limits.disk = 1 << 30
            $0.folderUse = FolderUse(bytes: 1 << 30)
        }
        #expect(limited.folder().isOpen)
        #expect(limited.folder().reason == "com.example.Feed keeps 1 GiB of 1 GiB in its folder")
        var above = limited
        above.folderUse = FolderUse(bytes: 1_288_490_189, isWhole: false)
        #expect(
            above.folder().reason
                == "com.example.Feed keeps at least 1.2 GiB in its folder, and its `limits: { disk }` is 1 GiB"
        )
        #expect(!above.folder().isOpen && above.evaluate().deferring == ["folder"])
        var filled = input()
        filled.filledDisk = "com.example.Feed has filled the disk"
        #expect(!filled.folder().isOpen && filled.folder().reason == "com.example.Feed has filled the disk")
    }

    @Test func `shutting_down`() {
        let closed = input { $0.host.isShuttingDown = true }
        #expect(closed.shuttingDown().reason == "the host is shutting down")
        #expect(!closed.evaluate().isReady)
    }

    @Test func `only what lasts is recorded, and nothing is sensed for what policy bars`() {
        let barred = input {
            $0.definition?.requires = Requirements(network: .any, loadBelow: 0.5)
            $0.host.conditions = Conditions(network: .known(.none), load: 2)
            $0.host.running = 4
            $0.definition?.windows = [WindowCalendarTests.night]
        }.evaluate()
        #expect(barred.deferring == ["window"] && barred.watched == [] && barred.sampled == [])
        let waiting = input {
            $0.definition?.requires = Requirements(network: .any, loadBelow: 0.5)
            $0.host.conditions = Conditions(network: .known(.none), load: 2)
        }.evaluate()
        #expect(waiting.deferring == ["load", "network"] && waiting.watched == [.network, .load])
        // The load need not be sampled while there is no network anyway.
        #expect(waiting.sampled == [])
        let last = input {
            $0.definition?.requires = Requirements(network: .any, loadBelow: 0.5)
            $0.host.conditions = Conditions(load: 2)
        }.evaluate()
        #expect(last.sampled == .load)
    }
}

/// The gates of an input, in words.
@dynamicMemberLookup
private struct Told {
    var input: GateInput

    subscript<Value>(dynamicMember path: WritableKeyPath<GateInput, Value>) -> Value {
        get { input[keyPath: path] }
        set { input[keyPath: path] = newValue }
    }

    func permitted() -> GateVerdict { input.told(input.permitted()) }
    func registered() -> GateVerdict { input.told(input.registered()) }
    func enabled() -> GateVerdict { input.told(input.enabled()) }
    func idleApp() -> GateVerdict { input.told(input.idleApp()) }
    func requested() -> GateVerdict { input.told(input.requested()) }
    func earliestBegin() -> GateVerdict { input.told(input.earliestBegin()) }
    func window() -> GateVerdict { input.told(input.window()) }
    func rateLimit() -> GateVerdict { input.told(input.rateLimit()) }
    func budget() -> GateVerdict { input.told(input.budget()) }
    func backoff() -> GateVerdict { input.told(input.backoff()) }
    func concurrency() -> GateVerdict { input.told(input.concurrency()) }
    func folder() -> GateVerdict { input.told(input.folder()) }
    func shuttingDown() -> GateVerdict { input.told(input.shuttingDown()) }

    func evaluate() -> Answer {
        let evaluation = input.evaluate()
        return Answer(evaluation: evaluation, verdicts: evaluation.verdicts.map(input.told))
    }

    @dynamicMemberLookup
    struct Answer {
        let evaluation: Evaluation
        let verdicts: [GateVerdict]

        subscript<Value>(dynamicMember path: KeyPath<Evaluation, Value>) -> Value {
            evaluation[keyPath: path]
        }
    }
}
