import LullModel
import Testing

@testable import LullAnswers
@testable import LullCommands
@testable import lull

/// `lull top --fleet` without a terminal and a database: keys go in, lines come out.
struct FleetTopTests {
    private let now = WallTime(seconds: 1_795_276_800)
    private var phrases: Phrases { Phrases(now: now + .minutes(5), zone: .utc) }

    private func host(
        _ name: String, ago: Int64 = 4000, lives: Bool = true, draining: Bool = false, ahead: Int64 = 3
    )
        -> FleetOverview.Host
    {
        FleetOverview.Host(
            host: "h" + name, place: "p" + name, name: name, version: "0.2.0", manifest: "0123456789abcdef",
            labels: ["zone": "a"], ago: ago, lives: lives, draining: draining, leases: lives ? 0 : 2,
            through: 4711,
            missing: 0, ahead: ahead)
    }

    private func slot(
        _ name: String, _ state: SlotState, minutesAgo: Int, on host: String? = nil, _ reason: String? = nil
    ) throws -> SlotStatus {
        let task = try #require(TaskIdentifier("com.example.Shared." + name))
        var slot = SlotStatus(SlotName(task, at: now - .minutes(minutesAgo)), state)
        (slot.host, slot.reason, slot.ago) = (host, reason, Int64(minutesAgo) * 60_000)
        if state == .leased { (slot.attempt, slot.left) = (1, 41_000) }
        return slot
    }

    private func overview() throws -> FleetOverview {
        var lost = try slot("vacuum", .leased, minutesAgo: 2, on: "b7")
        (lost.attempt, lost.left) = (2, -5000)
        return FleetOverview(
            hosts: [
                host("b7", ago: 10_800_000, lives: false), host("b8", ahead: -90_000),
                host("b9", draining: true),
                host("b10"), host("b11"),
            ],
            open: 40, leased: [try slot("report", .leased, minutesAgo: 1, on: "b10"), lost],
            failed: [
                try slot(
                    "digest", .failed, minutesAgo: 125, on: "b11", "exit code 3; it printed last: no route")
            ],
            ended: ["failed": 7, "expired": 1, "done": 90], differences: [],
            due: [try slot("clean", .open, minutesAgo: 12)])
    }

    private func model() throws -> FleetTopModel {
        var model = FleetTopModel(fleet: "lull")
        model.hear(.overview(try overview(), at: now))
        return model
    }

    private func lines(_ model: inout FleetTopModel, _ columns: Int = 100, _ rows: Int = 24) -> [String] {
        model.lines(ScreenSize(columns: columns, rows: rows), phrases: phrases, hasColour: false)
    }

    @Test(arguments: [20, 40, 80, 200], [2, 3, 8, 12, 24])
    func `it fits the screen, whatever is shown`(columns: Int, rows: Int) throws {
        var model = FleetTopModel(fleet: "lull")
        func expectFits() {
            let lines = lines(&model, columns, rows)
            #expect(lines.count <= rows, "\(lines)")
            for line in lines { #expect(line.displayWidth <= columns, "\(line)") }
        }
        expectFits()
        let trouble =
            "Can't connect to the fleet's database (host=db.example.org dbname=lull): connection refused."
        model.hear(.away(trouble))
        expectFits()
        for trouble in [nil, trouble] {
            model.hear(.overview(try overview(), at: now))
            if let trouble { model.hear(.away(trouble)) }
            for key in [KeyPress.home, .character("w"), .character("?")] {
                _ = model.press(key)
                for _ in 0..<9 {
                    expectFits()
                    _ = model.press(.down)
                }
            }
            _ = model.press(.escape)
        }
    }

    @Test func `hosts with trouble stand first, then what runs, what failed, what is due, and the others`()
        throws
    {
        var model = try model()
        #expect(
            lines(&model) == [
                "Fleet lull 16:00:00 · 5 hosts, 1 silent, 1 with a wrong clock, 1 draining · 8 failed · 2 running · …",
                "  TROUBLE                    STATE             HEARD          WHAT",
                "> b7                         silent            3 h ago        2 runs; zone: a; Lull 0.2.0           ",
                "  b8                         clock −1 min 30…  4 s ago        zone: a; Lull 0.2.0",
                "  b9                         draining          4 s ago        zone: a; Lull 0.2.0",
                "  RUNNING                    ON                SINCE          LEASE",
                "  com.example.Shared.vacuum  b7                2 min ago      over, try 2: another host takes it",
                "  com.example.Shared.report  b10               1 min ago      41 s left",
                "  FAILED                     ON                ENDED          WHY",
                "  com.example.Shared.digest  b11               2 h 5 min ago  exit code 3; it printed last: \"no rou…",
                "  DUE                        LAST ON           SINCE          WHY",
                "  com.example.Shared.clean   –                 12 min ago     no host has taken it yet",
                "  HOSTS                      STATE             HEARD          WHAT",
                "  b10                        live              4 s ago        zone: a; Lull 0.2.0",
                "  b11                        live              4 s ago        zone: a; Lull 0.2.0",
                "", "", "", "",
                "────────────────────────────────────────────────────────────────────────────────────────────────────",
                "b7, place pb7, last answered 3 h ago. It does not answer. Another host takes its 2 runs over. If it",
                "is gone for good: `lull fleet forget b7`. Lull 0.2.0, manifest 01234567, zone: a; the database has",
                "its history up to event 4711.", "↑↓ select  Tab next part  w why  ? help  q quit",
            ])
    }

    @Test func `of a thousand hosts those with trouble and what runs are seen, and the rest is a key away`()
        throws
    {
        var overview = try overview()
        overview.hosts += (100..<1100).map { host("b\($0)") }
        var model = FleetTopModel(fleet: "lull")
        model.hear(.overview(overview, at: now))
        let first = lines(&model, 80, 24)
        #expect(first.contains { $0.hasPrefix("  com.example.Shared.report") })
        #expect(first.contains { $0.hasPrefix("  FAILED") } && first.contains { $0.hasPrefix("  DUE") })
        _ = model.press(.end)
        #expect(lines(&model, 80, 24).contains { $0.hasPrefix("> b1099 ") })
        _ = model.press(.tab)
        #expect(lines(&model, 80, 24)[1...2].map { $0.prefix(9) } == ["  TROUBLE", "> b7     "])
    }

    @Test func `tab leads from part to part, and w asks why of a task alone`() throws {
        var model = try model()
        #expect(model.press(.character("w")) == [])
        #expect(lines(&model, 120).contains { $0.contains("`lull fleet forget b7`") })
        #expect(model.press(.tab) == [.ask(.why(try slot("vacuum", .leased, minutesAgo: 2).slot.task))])
        let report = try slot("report", .leased, minutesAgo: 1).slot.task
        #expect(model.press(.down) == [.ask(.why(report))])
        #expect(model.questions == [.why(report)])
        #expect(lines(&model).contains("Asking the fleet's database …"))
        model.hear(.why(FleetWhy(task: report, hosts: [.init(name: "b11", host: "1", gates: ["idle"])])))
        #expect(lines(&model).contains { $0.hasPrefix("b11 ") && $0.contains("idle") })
        #expect(model.press(.tab) == [.ask(.why(try slot("digest", .failed, minutesAgo: 1).slot.task))])
        #expect(model.press(.escape) == [] && model.questions == [])
        #expect(
            lines(&model).contains {
                $0.contains("failed 2 h 5 min ago on b11: exit code 3;")
            })
        _ = model.press(.tab)
        #expect(lines(&model).contains { $0.contains("Shared.clean for 15:48: no host has taken it yet.") })
        _ = model.press(.tab)
        #expect(model.selection?.part == .well)
        _ = model.press(.character("?"))
        #expect(lines(&model).contains { $0.hasPrefix("Tab ") })
        #expect(model.press(.character("q")) == [] && model.press(.character("q")) == [.quit])
    }

    @Test func `a database that is away leaves what was known, as of when, and is asked for nothing more`()
        throws
    {
        var model = try model()
        _ = model.press(.tab)
        _ = model.press(.character("w"))
        model.hear(.away("The fleet's database (service=lull) has not answered for 10 s."))
        #expect(model.questions == [])
        let shown = lines(&model, 80, 24)
        #expect(shown[0].hasPrefix("Fleet lull 16:00:00 · 5 hosts"))
        #expect(
            shown.suffix(3) == [
                "This is how it was at 16:00:00. The fleet's database (service=lull) has not",
                "answered for 10 s.", "↑↓ select  Tab next part  w why  ? help  q quit",
            ])
        #expect(shown.contains("Not known while the database does not answer."))
        model.hear(.overview(try overview(), at: now + .seconds(30)))
        #expect(lines(&model)[0].hasPrefix("Fleet lull 16:00:30") && model.questions.count == 1)
    }

    @Test func `a row stays selected while its slot goes on, and its place is taken when it is gone`() throws
    {
        var model = try model()
        for _ in 0..<2 { _ = model.press(.tab) }
        let digest = try #require(model.selection?.task)
        var next = try overview()
        next.leased.removeAll()
        model.hear(.overview(next, at: now))
        #expect(model.selection?.task == digest)
        next.failed = []
        model.hear(.overview(next, at: now))
        #expect(model.selection?.task?.text == "com.example.Shared.clean")
        next.due = []
        next.hosts = []
        model.hear(.overview(next, at: now))
        #expect(model.selection == nil)
        #expect(lines(&model).contains { $0.contains("No host has joined.") })
    }
}
