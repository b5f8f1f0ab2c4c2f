import LullModel
import Testing

/// The definition hash of a task: fields that count change it, fields that don't count leave it, and every field of a task
/// and its app is one or the other.
struct TaskMeaningTests {
    typealias Change = @Sendable (inout TaskDefinition) -> Void

    private static func task() throws -> TaskDefinition {
        let app = try #require(AppIdentifier("com.example.A"))
        let identifier = try #require(TaskIdentifier("com.example.A.t"))
        return TaskDefinition(identifier: identifier, app: app, kind: .processing)
    }

    private static func app() throws -> App {
        App(identifier: try #require(AppIdentifier("com.example.A")), plugin: "/usr/lib/lull/libA.so")
    }

    private static let holidays = {
        var days = DayList(texts: ["2026-12-24"])
        days.once = [DaySpan(20_811, through: 20_811)]
        return days
    }()
    private static let night = Window(opens: 60, closes: 300, text: "01:00-05:00")

    private static func param(_ change: (inout TaskParam) -> Void) -> TaskParam {
        var param = TaskParam(name: "day", value: "today")
        change(&param)
        return param
    }

    private static let counts: [String: [Change]] = [
        "identifier": [{ $0.identifier = TaskIdentifier("com.example.A.u") ?? $0.identifier }],
        "kind": [{ $0.kind = .refresh }],
        "repeat": [{ $0.repeat = .hours(1) }, { $0.repeat = .hours(2) }],
        "at": [{ $0.at = ExactTimes() }, { $0.at = ExactTimes(isAtBoot: true) }],
        "on": [{ $0.on = [.boot] }, { $0.on = [.boot, .resume] }],
        "missed": [{ $0.missed = .all }],
        "spread": [{ $0.spread = .minutes(1) }],
        "tolerance": [{ $0.tolerance = .minutes(6) }],
        "requires": [
            { $0.requires.network = .any }, { $0.requires.network = .unmetered },
            { $0.requires.externalPower = true }, { $0.requires.batteryAbove = 0.2 },
            { $0.requires.idle = true }, { $0.requires.idle = false }, { $0.requires.loadBelow = 0.5 },
            { $0.requires.diskFree = 1 << 30 },
        ],
        "windows": [
            { $0.windows = [night] },
            { $0.windows = [Window(days: [0], opens: 60, closes: 300, text: "01:00-05:00")] },
            { $0.windows = [Window(opens: 61, closes: 300, text: "01:00-05:00")] },
        ],
        "days": [
            { $0.days = OpenDays(from: 20_000) }, { $0.days = OpenDays(until: 20_000) },
            { $0.days = OpenDays(only: holidays) }, { $0.days = OpenDays(except: holidays) },
        ],
        "quiet": [{ $0.quiet = [night] }],
        "timezone": [{ $0.timezone = "UTC" }],
        "timeLimit": [{ $0.timeLimit = .hours(1) }, { $0.timeLimit = nil }],
        "warning": [{ $0.warning = .seconds(6) }],
        "grace": [{ $0.grace = .milliseconds(5001) }],
        "concurrency": [{ $0.concurrency = 2 }],
        "budget": [{ $0.budget = 8.5 }],
        "freshShare": [{ $0.freshShare = 0.7 }],
        "fresh": [{ $0.fresh = .minutes(30) }],
        "objective": [{ $0.objective = .hits }],
        "minGap": [{ $0.minGap = .zero }],
        "retry": [
            { $0.retry.first = .seconds(1) }, { $0.retry.max = .days(1) }, { $0.retry.attempts = 3 },
            { $0.retry.exitCodes = [3] },
        ],
        "latest": [{ $0.latest = .days(3) }],
        "leaves": [{ $0.leaves = .running }],
        "whileRunning": [{ $0.whileRunning = .goOn }],
        "params": [
            { $0.params = [TaskParam(name: "day", value: "today")] },
            { $0.params = [TaskParam(name: "day", value: "yesterday")] },
            { $0.params = [TaskParam(name: "date", value: "today")] },
            { task in task.params = [param { $0.match = "[a-z]+" }] },
            { task in task.params = [param { $0.choices = ["today"] }] },
        ],
        "settings": [
            { $0.settings = .object(["run": .string("true")]) },
            { $0.settings = .object(["run": .bool(true)]) },
        ],
        "fleet": [
            { $0.fleet.scope = .anyHost }, { $0.fleet.labels = ["zone": "a"] },
            { $0.fleet.labels = ["zone": "b"] }, { $0.fleet.spread = "zone" }, { $0.fleet.concurrency = 3 },
            { $0.fleet.prefer = .freshest }, { $0.fleet.prefer = .idlest },
        ],
    ]

    /// How this host orders its own work, whom it notifies, and where the manifest says so.
    private static let doesNotCount: [String: Change] = [
        // Each lease has the length that its holder has claimed.
        "fleet": { $0.fleet.lease = .minutes(10) },
        "app": { $0.app = AppIdentifier("com.example.B") ?? $0.app },
        "priority": { $0.priority = 9 },
        "nice": { $0.nice = 9 }, "ionice": { $0.ionice = .idle }, "limits": { $0.limits = RunLimits() },
        "group": { $0.group = "database" },
        "notify": { $0.notify = [NoticeSink(.journal)] },
        "expect": { $0.expect = Expectation(count: 1, span: .days(2)) },
        "heartbeat": { $0.heartbeat = Heartbeat(url: "https://example.org") },
        "description": { $0.description = "of the night" },
        // One that is disabled here is offered by the others.
        "enabled": { $0.enabled = false },
        "line": { $0.line = 7 },
        "file": { $0.file = "jobs.d/a.yaml" },
    ]

    private static let appCounts: [String: @Sendable (inout App) -> Void] = [
        "sha256": { $0.sha256 = String(repeating: "a", count: 64) },
        "settings": { $0.settings = .object(["a": .integer(1)]) },
        "idleAfter": { $0.idleAfter = nil },
        "idleClock": { $0.idleClock = .host },
        "user": { $0.user = "www-data" },
    ]

    private static let appDoesNotCount: [String: @Sendable (inout App) -> Void] = [
        "identifier": { $0.identifier = AppIdentifier("com.example.B") ?? $0.identifier },
        "plugin": { $0.plugin = "/usr/lib/aarch64-linux-gnu/lull/libA.so" },
        "description": { $0.description = "colours" },
        "enabled": { $0.enabled = false },
        "usage": { $0.usage = .manual },
        "sharesUses": { $0.sharesUses = true },
        "keepWarm": { $0.keepWarm = .zero },
        "limits": { $0.limits.memory = 1 << 30 },
        "costLimits": { $0.costLimits = [CostLimit(.processor, 1, span: .days(1))] },
        "concurrency": { $0.concurrency = 9 },
        "notify": { $0.notify = [NoticeSink(.journal)] },
        "notifications": { $0.notifications = true },
        "tasks": { $0.tasks = (try? [task()]) ?? [] },
        "push": { $0.push = PushRules() },
        "transfers": { $0.transfers = TransferRules() },
        "line": { $0.line = 7 },
        "file": { $0.file = "jobs.d/a.yaml" },
    ]

    private func names(_ value: Any) -> Set<String> {
        // A rare field is wrapped: its label is the wrapper's, which begins with `_`.
        Set(
            Mirror(reflecting: value).children.compactMap(\.label)
                .map { String($0.trimmingPrefix("_")) })
    }

    /// A field that is new fails here until somebody says whether hosts have to agree on it.
    @Test func `each field of a task and its app is said to count or not`() throws {
        #expect(names(try Self.task()) == Set(Self.counts.keys).union(Self.doesNotCount.keys))
        #expect(names(try Self.app()) == Set(Self.appCounts.keys).union(Self.appDoesNotCount.keys))
        #expect(names(FleetRules()) == ["scope", "labels", "spread", "concurrency", "prefer", "lease"])
        #expect(
            names(Requirements())
                == ["network", "externalPower", "batteryAbove", "idle", "loadBelow", "diskFree"])
        #expect(names(TaskDefinition.Retry()) == ["first", "max", "attempts", "exitCodes"])
        #expect(names(Self.night) == ["days", "opens", "closes", "text"])
        #expect(names(ExactTimes()) == ["calendar", "isAtBoot"])
    }

    @Test func `what counts changes it, each in its own way`() throws {
        let (task, app) = (try Self.task(), try Self.app())
        var seen: [String: String] = [task.definitionHash(in: app): "as it was"]
        for (name, changes) in Self.counts {
            for (place, change) in changes.enumerated() {
                var other = task
                change(&other)
                let clash = seen.updateValue("\(name) \(place)", forKey: other.definitionHash(in: app))
                #expect(clash == nil, "\(name) \(place) means the same as \(clash ?? "")")
            }
        }
        for (name, change) in Self.appCounts {
            var other = app
            change(&other)
            let clash = seen.updateValue("app \(name)", forKey: task.definitionHash(in: other))
            #expect(clash == nil, "\(name) of the app means the same as \(clash ?? "")")
        }
    }

    @Test func `what does not count leaves it as it is`() throws {
        let (task, app) = (try Self.task(), try Self.app())
        let definitionHash = task.definitionHash(in: app)
        for (name, change) in Self.doesNotCount {
            var other = task
            change(&other)
            #expect(other != task && other.definitionHash(in: app) == definitionHash, "\(name)")
        }
        for (name, change) in Self.appDoesNotCount {
            var other = app
            change(&other)
            #expect(other != app && task.definitionHash(in: other) == definitionHash, "\(name) of the app")
        }
        var other = task
        other.windows = [Self.night]
        let windowed = other.definitionHash(in: app)
        other.windows = [Window(opens: 60, closes: 300, text: "1:00-5:00")]
        #expect(other.definitionHash(in: app) == windowed)
    }

    /// Written down, so that another build, machine or version that says otherwise fails here.
    @Test func `is the same on every machine`() throws {
        #expect(try Self.task().definitionHash(in: Self.app()) == "6dc66d4012844176")
        var task = try Self.task()
        task.settings = .object([
            "b": .number(0.1), "a": .string("ä\n\""), "c": .array([.null, .integer(-1)]),
        ])
        task.fleet.labels = ["zone": "a", "role": "web"]
        #expect(task.definitionHash(in: try Self.app()) == "43643f31abd04d42")
    }
}
