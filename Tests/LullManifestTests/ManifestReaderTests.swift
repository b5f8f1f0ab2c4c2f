import LullModel
import Testing

@testable import LullManifest

struct ManifestReaderTests {
    static let example = """
        version: 1
        defaults:
          idle_after: 5d
          concurrency: { host: 8, app: 3 }
          retention: { events: 30d, output: 1w, output_size: 8KiB, size: 64MiB }
          nice: 10
          requires: { network: any, idle: true }
          retry: { max: 1h }

        apps:
          com.example.ColorFeed:
            plugin: ColorFeed
            description: Colours of the day
            settings: { feed: feed.json, top: [1, 2.5, true, null, "1", text, -0x10, 0x10] }
            usage:
              - log: /var/log/access.log
                match: 'GET /feed'
                time: common
              - { log: logs/me.log, time: "%Y-%m-%d %H:%M:%S" }
              - login: any
              - login: me
              - journal: { unit: feed.service }
              - { journal: { unit: sshd, match: session opened } }
              - access: mine.so
            timezone: Europe/Berlin
            time_limit: 2m
            tasks:
              refresh:
                kind: refresh
                repeat: 15m
                requires: { network: unmetered, idle: false, battery_above: 12.5% }
              org.example.cleaning:
                kind: processing
                repeat: 7d
                requires: { external_power: true, disk_free: 2GiB, load_below: 0.5 }
                windows: ["01:00-05:00", "Sat,Sun 22:00-07:00", "Fri-Mon 00:00-24:00"]
                time_limit: 10s
                grace: { kill: 20s }
                retry: { first: 10s }
                latest: 2w
                concurrency: 2
                budget: 0.5
                min_gap: 0s
                priority: -5
                nice: -20
                settings: { deep: { a: [] } }
                description: Cleans
                enabled: false
          com.example.Quiet:
            plugin: ./mine.so
            enabled: false
            usage: manual
            idle_after: never
            idle_clock: host
            keep_warm: 0s
            concurrency: 1
            tasks: { export: { kind: continued, requires: { idle: false } } }
        """

    func example() throws -> Manifest {
        let result = read(Array(Self.example.utf8))
        #expect(
            result.diagnostics.map(\.message) == [
                "there is no log '/home/me/logs/me.log', so Lull learns no uses from it yet",
                "`min_gap` is only for refresh tasks, and the kind of this task is processing",
            ])
        return try #require(result.manifest)
    }

    @Test func `the host's own keys are read`() throws {
        let manifest = try example()
        #expect(manifest.path == "jobs.yaml")
        #expect(manifest.hostConcurrency == 8)
        #expect(
            manifest.retention
                == Retention(events: .days(30), output: .days(7), outputBytes: 8 << 10, bytes: 64 << 20))
        #expect(manifest.zoneNames == ["Europe/Berlin"])
    }

    @Test func `an app is read whole`() throws {
        let apps = try example().apps
        #expect(apps.map(\.identifier.text) == ["com.example.ColorFeed", "com.example.Quiet"])
        #expect(apps.map(\.plugin) == ["/usr/lib/lull/libColorFeed.so", "/home/me/mine.so"])
        #expect(apps.map(\.line) == [11, 49])
        #expect(apps.map(\.enabled) == [true, false])
        #expect(apps.map(\.idleAfter) == [.days(5), nil])
        #expect(apps.map(\.idleClock) == [.wall, .host])
        #expect(apps.map(\.keepWarm) == [.minutes(10), .zero])
        #expect(apps.map(\.concurrency) == [3, 1])
        #expect(apps[0].description == "Colours of the day")
        #expect(
            apps[0].settings
                == .object([
                    "feed": .string("feed.json"),
                    "top": .array([
                        .integer(1), .number(2.5), .bool(true), .null, .string("1"), .string("text"),
                        .string("-0x10"), .integer(16),
                    ]),
                ]))
        #expect(
            apps[0].usage
                == .sources([
                    UsageSource(log: "/var/log/access.log", match: "GET /feed", time: .common),
                    UsageSource(
                        log: "/home/me/logs/me.log", match: nil, time: .strptime("%Y-%m-%d %H:%M:%S")),
                    .login(user: nil), .login(user: "me"),
                    .journal(unit: "feed.service", match: nil),
                    .journal(unit: "sshd", match: "session opened"),
                    .access(path: "/home/me/mine.so"),
                ]))
        #expect(apps[1].usage == .manual)
    }

    @Test func `a task is read whole`() throws {
        let task = try example().apps[0].tasks[1]
        #expect(task.identifier.text == "org.example.cleaning")
        #expect(task.app.text == "com.example.ColorFeed")
        #expect(task.kind == .processing)
        #expect(task.repeat == .days(7))
        #expect(
            task.requires
                == Requirements(
                    network: .any, externalPower: true, idle: true, loadBelow: 0.5, diskFree: 2 << 30))
        #expect(task.windows.map(\.days) == [[], [5, 6], [4, 5, 6, 0]])
        #expect(task.windows.map(\.opens) == [60, 1320, 0])
        #expect(task.windows.map(\.closes) == [300, 420, 1440])
        #expect(task.windows[1].text == "Sat,Sun 22:00-07:00")
        #expect(task.timezone == "Europe/Berlin")
        #expect(task.timeLimit == .seconds(10))
        #expect(task.grace == .seconds(20))
        #expect(task.concurrency == 2)
        #expect(task.budget == 0.5)
        #expect(task.minGap == .zero)
        #expect(task.retry == .init(first: .seconds(10), max: .hours(1)))
        #expect(task.latest == .days(14))
        #expect(task.priority == -5)
        #expect(task.nice == -20)
        #expect(task.settings == .object(["deep": .object(["a": .array([])])]))
        #expect(task.description == "Cleans")
        #expect(!task.enabled)
        #expect(task.line == 32)
    }

    @Test func `a task takes from its app, and the app from defaults`() throws {
        let task = try example().apps[0].tasks[0]
        #expect(task.identifier.text == "com.example.ColorFeed.refresh")
        #expect(task.timeLimit == .minutes(2))
        #expect(task.nice == 10)
        #expect(task.requires == Requirements(network: .unmetered, batteryAbove: 0.125, idle: false))
        #expect(task.retry == .init(first: .seconds(30), max: .hours(1)))
    }

    @Test func `what is not written has its default`() throws {
        let result = read(
            Array(
                """
                version: 1
                apps:
                  com.example.A:
                    plugin: ColorFeed
                    usage: manual
                    tasks: { r: { kind: refresh }, p: { kind: processing }, c: { kind: continued } }
                """.utf8))
        #expect(result.diagnostics == [])
        let manifest = try #require(result.manifest)
        #expect(manifest.hostConcurrency == 4)
        #expect(manifest.retention == Retention())
        let identifier = try #require(AppIdentifier("com.example.A"))
        var app = App(identifier: identifier, plugin: "/usr/lib/lull/libColorFeed.so")
        app.usage = .manual
        app.line = 3
        for (name, kind) in [("r", Kind.refresh), ("p", .processing), ("c", .continued)] {
            var task = TaskDefinition(
                identifier: try #require(TaskIdentifier(name, of: identifier)), app: identifier, kind: kind)
            task.line = 6
            app.tasks.append(task)
        }
        #expect(manifest.apps == [app])
    }

    @Test(arguments: [("30s", 5), ("10s", 5), ("4s", 2), ("1s", 0.5)])
    func `the warning takes at most half of the time limit`(_ limit: String, _ seconds: Double) throws {
        let item = Case("", task: "kind: refresh\ntime_limit: \(limit)")
        #expect(try #require(read(item.bytes).manifest).tasks[0].warning == .seconds(seconds))
    }

    @Test func `aliases stand for what their anchors are at`() throws {
        let item = Case(
            "", task: "kind: &kind refresh\nrequires: &r { idle: true }\nsettings: { copy: *r, kind: *kind }")
        let task = try #require(read(item.bytes).manifest).tasks[0]
        #expect(
            task.settings == .object(["copy": .object(["idle": .bool(true)]), "kind": .string("refresh")]))
    }

    @Test func `the hash is that of the bytes`() throws {
        #expect(ManifestReader.hash([]) == "cbf29ce484222325")
        #expect(ManifestReader.hash(Array("foobar".utf8)) == "85944171f73967e8")
        let other = read(Array((Self.example + "\n# more\n").utf8)).manifest
        #expect(try example().hash != other?.hash)
    }

    @Test func `a byte order mark and line ends of another system change nothing`() throws {
        let text = Self.example.split(separator: "\n", omittingEmptySubsequences: false).joined(
            separator: "\r\n")
        var other = try #require(read([0xEF, 0xBB, 0xBF] + Array(text.utf8)).manifest)
        let manifest = try example()
        other.hash = manifest.hash
        #expect(other == manifest)
    }

    @Test func `JSON is a manifest too`() throws {
        let text = """
            {
            \t"version": 1,
            \t"apps": { "com.example.A": { "plugin": "Plain", "usage": "manual", "tasks": { "r": { "kind": "refresh" } } } }
            }
            """
        #expect(try #require(read(Array(text.utf8)).manifest).apps[0].plugin == "/usr/lib/lull/Plain.so")
    }
}
