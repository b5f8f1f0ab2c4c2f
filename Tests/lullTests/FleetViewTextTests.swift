import LullModel
import Testing

@testable import LullAnswers
@testable import LullCommands
@testable import lull

struct FleetViewTextTests {
    private let now = WallTime(seconds: 1_795_276_800)
    private var phrases: Phrases { Phrases(now: now, zone: .utc) }
    private let hour: Int64 = 3_600_000

    private func task(_ name: String = "night") throws -> TaskIdentifier {
        try #require(TaskIdentifier("a.b." + name))
    }

    private func slot(
        _ state: SlotState, hoursAgo: Int, host: String? = nil, reason: String? = nil
    ) throws -> SlotStatus {
        var slot = SlotStatus(SlotName(try task(), at: now - .hours(hoursAgo)), state)
        (slot.host, slot.reason, slot.attempt, slot.ago) = (host, reason, 1, Int64(hoursAgo) * hour)
        return slot
    }

    private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    @Test func `why names who has it, when it ends, and what holds the others back`() throws {
        var held = try slot(.leased, hoursAgo: 1, host: "b12")
        held.left = 41_000
        let why = FleetWhy(
            task: try task(),
            hosts: [
                .init(name: "b12", host: "1", gates: ["concurrency"], reason: "It runs already.", most: hour),
                .init(name: "b13", host: "2", gates: ["external_power", "idle"], reason: "On battery."),
            ],
            slots: [held], ended: [try slot(.failed, hoursAgo: 25, host: "b13", reason: "exit code 3")])
        let text = lines(FleetWhyText(why: why, phrases: phrases).rendered(for: Terminal(columns: 110)))
        #expect(
            text == [
                "b12 has had the run for 15:00 since 15:00:00. Its lease ends at 16:00:41 unless it is renewed.",
                "It is 50 % likely to run on some host by 16:18, and 90 % by 17:00.",
                "HOST  LIKELY BY  CLOSED GATES          WHY",
                "b12   17:00      concurrency           It runs already.",
                "b13   not known  external_power, idle  On battery.",
                "RUN FOR          BECAME  ON   ENDED        WHY",
                "yesterday 15:00  failed  b13  1 d 1 h ago  exit code 3",
            ])
    }

    @Test func `what why says breaks where the line ends, and not with each sentence`() throws {
        let held = try slot(.leased, hoursAgo: 1, host: "b12")
        let why = FleetWhy(
            task: try task(), hosts: [.init(name: "b13", host: "2", gates: ["idle"], reason: "In use.")],
            slots: [held, try slot(.open, hoursAgo: 0, host: nil)])
        let text = FleetWhyText(why: why, phrases: phrases).rendered(for: Terminal(columns: 60))
        let paragraph = text.split(separator: "\n\n")[0].split(separator: "\n").dropFirst()
        #expect(paragraph.count >= 2 && paragraph.dropLast().allSatisfy { $0.count > 45 }, "\(text)")
    }

    @Test func `why says when nobody can tell, and when no host has the task`() throws {
        let none = FleetWhyText(why: FleetWhy(task: try task(), hosts: []), phrases: phrases)
        #expect(
            none.rendered(for: Terminal(columns: 200)).contains(
                "No live host has reported on a.b.night."))
        let blind = FleetWhyText(
            why: FleetWhy(task: try task(), hosts: [.init(name: "b", host: "1", gates: ["enabled"])]),
            phrases: phrases)
        #expect(
            blind.rendered(for: Terminal(columns: 200)).contains(
                "It is not known when it runs: the host that has it can't"))
    }

    private func host(_ name: String, lives: Bool = true, draining: Bool = false) -> FleetOverview.Host {
        FleetOverview.Host(
            host: "h" + name, place: "p" + name, name: name, version: "0.2.0", manifest: "0123456789abcdef",
            labels: [:], ago: lives ? 4000 : 3 * hour, lives: lives, draining: draining,
            leases: lives ? 1 : 0,
            through: 4711, missing: 0)
    }

    @Test func `of a thousand hosts those with trouble stand first, and most are counted`() throws {
        let status = FleetOverview(
            hosts: [host("b7", lives: false), host("b9", draining: true)]
                + (10..<1008).map { host("b\($0)") },
            open: 3, leased: [try slot(.leased, hoursAgo: 1, host: "b12")],
            failed: [try slot(.failed, hoursAgo: 2, host: "b13", reason: "exit code 3")], ended: ["done": 5],
            differences: [
                .init(
                    task: try task(),
                    definitionHashes: [
                        .init(definitionHash: "x", count: 990, hosts: ["b10", "b11"]),
                        .init(definitionHash: "y", count: 1, hosts: ["b9"]),
                    ])
            ])
        let text = lines(
            FleetOverviewText(status: status, fleet: "prod", phrases: phrases).rendered(
                for: Terminal(columns: 130)))
        #expect(
            text[0]
                == "Fleet prod: 999 of 1000 hosts live, 1 is draining, 1 run under way, 3 to be run, 1 failed or expired within a day."
        )
        #expect(
            text[1]
                == "The hosts do not agree on a.b.night: b10, b11 and 988 more have one definition, b9 another. See `lull fleet status`."
        )
        #expect(text[2].hasPrefix("FAILED") && text[3].contains("exit code 3"))
        let first = try #require(text.firstIndex { $0.hasPrefix("HOST") })
        #expect(text[first + 1].hasPrefix("b7") && text[first + 1].contains("silent"))
        #expect(text[first + 2].contains("draining"))
        #expect(text.count - first < 40)
        #expect(text.last == "968 hosts more without trouble.")
    }

    @Test func `a night names the slots that no host ran, and what held the hosts back`() throws {
        let why = "no host could start it in time: b12 (it is on battery) and 26 more"
        var night = FleetNight(
            from: now - .hours(12), to: now, hosts: [], known: 27, lanes: [],
            unrun: [
                try slot(.expired, hoursAgo: 3, reason: why),
                try slot(.open, hoursAgo: 2, reason: "b12 (in use)"),
            ],
            isCut: false)
        let text = lines(FleetNightText(night: night, phrases: phrases).rendered(for: Terminal(columns: 110)))
        #expect(
            text[0]
                == "From 04:00 to 16:00 no host ran anything. No host ran 2 slots that were due.")
        #expect(text[1].hasPrefix("RUN FOR  TASK       BECAME   WHY"))
        #expect(text[2] == "13:00    a.b.night  expired  " + why)
        #expect(text[3] == "14:00    a.b.night  open     b12 (in use)")
        #expect(text[4] == "27 other hosts ran nothing.", "\(text)")
        #expect(!FleetNightJSON(night, zone: .utc).unrunCut)
        night.isUnrunCut = true
        let cut = lines(FleetNightText(night: night, phrases: phrases).rendered(for: Terminal(columns: 110)))
        #expect(
            cut[0]
                == "From 04:00 to 16:00 no host ran anything. At least 2 slots that were due did not run on any host. Only the newest slots were read."
        )
        #expect(FleetNightJSON(night, zone: .utc).unrunCut)
    }

    @Test func `runs of a fleet have their host before them`() throws {
        let app = try #require(AppIdentifier("a.b"))
        var row = RunList.Row(run: RunID(4), app: app, task: try task())
        row.launched = now - .minutes(5)
        let lines = lines(
            RunLines([(host: "b12", row: row), (host: "b13", row: row)], most: 1).rendered(
                for: Terminal(columns: 120), phrases))
        #expect(lines[0].hasPrefix("HOST  RUN  TASK") && lines[1].hasPrefix("b12   4    a.b.night"))
        #expect(lines.count == 2)
    }
}
