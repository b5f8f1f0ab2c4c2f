import LullModel
import Testing

@testable import LullSimulator

/// The model of the fleet's functions: each rule of theirs once, at the moments at which it turns.
struct FleetDatabaseTests {
    private var database = FleetDatabase()
    private let start = WallTime(seconds: 1_772_409_600)
    private let task: TaskIdentifier

    init() throws {
        task = try #require(TaskIdentifier("com.example.A.t"))
        for name in ["a", "b", "c"] { hello(name, at: 0) }
    }

    private func now(_ seconds: Int) -> WallTime { start + .seconds(seconds) }
    private func slot(_ seconds: Int, target: String = "") -> SlotName {
        SlotName(task, at: now(seconds), target: target)
    }

    @discardableResult
    private mutating func hello(
        _ host: String, at seconds: Int, place: String? = nil, home: String? = nil,
        definitionHash: String = "m",
        zone: String = "z"
    ) -> FleetHello.Answer? {
        let call = FleetHello(
            host: host, place: place ?? "place-" + host, name: "name-" + host,
            home: home ?? "home-" + host, boot: "1", version: "1",
            manifest: "1",
            labels: ["zone": zone + host],
            jobs: [.init(task: task, definitionHash: definitionHash, scope: .anyHost)])
        guard case .hello(let answer) = answer(.hello(call), at: seconds) else { return nil }
        return answer
    }

    private mutating func claim(
        _ host: String, _ slot: SlotName, at seconds: Int, through: Int? = nil, every: Int64? = nil,
        tolerance: Int64? = nil, definitionHash: String = "m", limit: Int = 1, spread: String? = nil,
        lease: Int64 = 60_000
    ) throws -> FleetClaim.Answer {
        let call = FleetClaim(
            host: host, slot: slot, definitionHash: definitionHash, through: through.map(now) ?? slot.nominal,
            tolerance: tolerance, every: every, limit: limit, spread: spread, lease: lease)
        guard case .claim(let answer) = answer(.claim(call), at: seconds) else {
            throw Unexpected()
        }
        return answer
    }

    private mutating func beat(
        _ host: String, at seconds: Int, leases: [SlotLease] = [], length: Int64? = nil,
        offers: [FleetBeat.Offer] = [], scores: [String: Double] = [:],
        reports: [FleetBeat.Report] = [], since: Int64? = nil
    ) throws -> FleetBeat.Answer {
        let call = FleetBeat(
            host: host, leases: leases.map { .init($0, length: length) }, lease: 60_000, offers: offers,
            scores: scores, reports: reports, since: since)
        guard case .beat(let answer) = answer(.beat(call), at: seconds) else {
            throw Unexpected()
        }
        return answer
    }

    private mutating func finish(
        _ lease: SlotLease?, _ state: SlotState, at seconds: Int, reason: String? = nil,
        by host: String? = nil
    ) throws -> FleetFinish.Answer {
        let lease = try #require(lease)
        let call = FleetFinish(
            host: host ?? database.holder(of: lease.slot) ?? "a", lease, state, reason: reason)
        guard case .finish(let answer) = answer(.finish(call), at: seconds) else {
            throw Unexpected()
        }
        return answer
    }
    private struct Unexpected: Error {}

    /// Another host has reported meanwhile, unless `isSilent`.
    private mutating func answer(_ call: FleetCall, at seconds: Int) -> FleetAnswer {
        if !isSilent {
            database.summary.made = max(database.summary.made, now(seconds).milliseconds - 10_000)
        }
        return database.answer(call, at: now(seconds))
    }
    private var isSilent = false

    @Test(arguments: [75, 600, 7_200, -600])
    mutating func `the time of leases stands still while nobody is heard of`(gap: Int) throws {
        let lease = try claim("a", slot(-1_000), at: 0).lease
        let leases = [try #require(lease)]
        for time in [15, 30] { for host in ["a", "b"] { _ = try beat(host, at: time, leases: leases) } }
        // The database is away, or its clock is set; the run of `a` ends well meanwhile.
        let back = 30 + gap
        isSilent = true
        #expect(try claim("b", slot(-1_000), at: back).verdict == .leased)
        #expect(try beat("b", at: back + 1).hosts > 0 && database.lives("a", at: now(back + 2)))
        isSilent = false
        #expect(try claim("b", slot(-1_000), at: back + 60).verdict == .leased)
        var other = self
        #expect(try finish(lease, .done, at: back + 61).accepted)
        #expect(try claim("b", slot(-1_000), at: back + 89).verdict == .ended)
        // A lost host is waited for no longer than usual.
        let next = try other.claim("b", slot(-1_000), at: back + 90)
        #expect(next.verdict == .claimed && next.attempt == 2)
    }

    @Test mutating func `of two that have one place the later hears of the earlier`() throws {
        hello("late", at: 100, place: "place-a")
        // The last word of a process that has ended meanwhile.
        _ = try beat("a", at: 130)
        #expect(try beat("late", at: 131).twin == nil)
        _ = try beat("a", at: 131)
        #expect(try beat("late", at: 132).twin == "name-a")
        #expect(try beat("a", at: 132).twin == nil)
        hello("late", at: 133, place: "place-late")
        #expect(try beat("late", at: 134).twin == nil)
    }

    @Test mutating func `a process that was restarted before an outage is alone after it`() throws {
        hello("next", at: 20, place: "place-a", home: "home-a")
        // The database is away.
        isSilent = true
        #expect(try beat("next", at: 100).twin == nil)
        #expect(try beat("next", at: 101).twin == nil)
        #expect(database.lives("b", at: now(102)) && !database.lives("a", at: now(102)))
    }

    @Test mutating func `a lease is of the process that has it, and of the next one in its folder`() throws {
        let lease = try claim("a", slot(0), at: 0).lease
        // A copy of its state elsewhere, another host, and an unknown host.
        hello("copy", at: 5, place: "place-a")
        for state in [SlotState.done, .open] {
            let answer = try finish(lease, state, at: 6, reason: "it was cut off", by: "copy")
            #expect(!answer.accepted && answer.twin == "name-a" && answer.slotStatus?.state == .leased)
        }
        for host in ["b", "x"] {
            let answer = try finish(lease, .done, at: 7, by: host)
            #expect(!answer.accepted && answer.twin == nil)
        }
        // The copy is notified that it is one, and draws a place of its own.
        hello("copy", at: 40, place: "place-copy")
        #expect(try finish(lease, .open, at: 41, reason: "it was cut off", by: "copy").twin == nil)
        #expect(database.holder(of: slot(0)) == "a")
        hello("next", at: 50, place: "place-a", home: "home-a")
        #expect(try finish(lease, .open, at: 51, reason: "it was cut off", by: "next").accepted)
        #expect(database.holder(of: slot(0)) == nil)
    }

    @Test mutating func `after another boot a lease is of the next process once it has ended`() throws {
        var lease = try claim("a", slot(0), at: 0).lease
        hello("next", at: 40, place: "place-a", home: "home-2")
        #expect(try !finish(lease, .done, at: 59, by: "next").accepted)
        #expect(try finish(lease, .done, at: 60, by: "next").accepted)
        lease = try claim("a", slot(70), at: 70).lease
        // Until then a worker may still run for it, if its host hangs.
        #expect(try !finish(lease, .open, at: 144, reason: "it was cut off", by: "next").accepted)
        #expect(try finish(lease, .open, at: 145, reason: "it was cut off", by: "next").accepted)
    }

    @Test mutating func `a host that has drawn another place is still to be drained`() {
        #expect(database.drain("name-a", at: now(0)) == 1)
        #expect(hello("a", at: 1, place: "another")?.drain != nil)
        #expect(hello("b", at: 1, place: "place-2")?.drain == nil)
    }

    @Test mutating func `one of two hosts gets a slot, and a call whose answer was lost gets it again`()
        throws
    {
        let first = try claim("a", slot(0), at: 0)
        #expect(first.verdict == .claimed && first.attempt == 1)
        #expect(first.lease?.number == start.milliseconds)
        let second = try claim("b", slot(0), at: 1)
        #expect(second.verdict == .leased && second.slotStatus?.host == "name-a")
        #expect(second.slotStatus?.left == 59_000 && second.slotStatus?.ago == 1_000)
        let again = try claim("a", slot(0), at: 2)
        #expect(again.verdict == .claimed && again.lease == first.lease && again.attempt == 1)
        #expect(database.slotStatus(of: slot(0), at: now(2))?.left == 60_000)
    }

    @Test mutating func `each lease lasts as long as it was claimed and renewed for`() throws {
        let long = try #require(try claim("a", slot(0), at: 0, lease: 600_000).lease)
        let other = try #require(TaskIdentifier("com.example.A.short"))
        let short = try #require(try claim("a", SlotName(other, at: now(0)), at: 0).lease)
        #expect(database.slotStatus(of: long.slot, at: now(1))?.left == 599_000)
        #expect(try beat("a", at: 100, leases: [long], length: 600_000).held == [long])
        #expect(try beat("a", at: 100, leases: [short]).held == [], "it has ended")
        #expect(try claim("b", short.slot, at: 101).verdict == .claimed)
        // Counted from the last beat.
        #expect(try claim("b", slot(0), at: 729).verdict == .leased)
        #expect(try claim("b", slot(0), at: 730).verdict == .claimed)
    }

    @Test mutating func `who is unknown, drained or early gets nothing`() throws {
        #expect(try claim("x", slot(0), at: 0).verdict == .unknown)
        #expect(try !beat("x", at: 0).known)
        #expect(database.drain("name-a", at: now(0)) == 1)
        #expect(try claim("a", slot(0), at: 0).verdict == .draining)
        #expect(try beat("a", at: 0).drain != nil)
        #expect(hello("a", at: 1)?.drain != nil, "a restart does not end it")
        #expect(database.resume("place-a") == 1)
        let early = try claim("a", slot(10), at: 2)
        #expect(early.verdict == .notDue && early.wait == 8_000)
        #expect(try claim("a", slot(3), at: 2).verdict == .claimed, "clocks differ by a second")
    }

    @Test
    mutating func `a drain that was to last so long ends by itself, and says until then why it is there`()
        throws
    {
        database.drain("name-a", by: "ops@desk", reason: "new disk", for: .seconds(30), at: now(0))
        let told = try beat("a", at: 10).drain
        #expect(told == FleetDrain(by: "ops@desk", reason: "new disk", ago: 10_000, left: 20_000))
        #expect(try claim("a", slot(0), at: 29).verdict == .draining)
        #expect(try claim("a", slot(0), at: 30).verdict == .claimed)
        #expect(try beat("a", at: 40).drain == nil)
        #expect(database.resume("name-a") == 0, "nothing of it is kept")
    }

    @Test mutating func `a lease that is not renewed passes on after its grace, three times at most`() throws
    {
        var lease = try claim("a", slot(0), at: 0).lease
        #expect(try beat("a", at: 15, leases: [try #require(lease)]).held.count == 1)
        #expect(try beat("a", at: 75, leases: [try #require(lease)]).held == [], "it has ended")
        #expect(try claim("b", slot(0), at: 104).verdict == .leased)
        let second = try claim("b", slot(0), at: 105)
        #expect(second.verdict == .claimed && second.attempt == 2)
        #expect(try !finish(lease, .done, at: 106).accepted)
        lease = second.lease
        _ = hello("c", at: 190)
        #expect(try beat("c", at: 196).news == [])
        let open = try #require(database.slotStatus(of: slot(0), at: now(196)))
        #expect(open.state == .open && open.reason == "the lease ended on name-b without a result")
        lease = try claim("c", slot(0), at: 200).lease
        let over = try finish(lease, .open, at: 201, reason: "no power")
        #expect(over.accepted && over.slotStatus?.state == .failed && over.slotStatus?.reason == "no power")
        #expect(try finish(lease, .open, at: 202, reason: "no power").accepted, "a lost answer")
        #expect(try claim("c", slot(0), at: 203).verdict == .ended)
    }

    @Test mutating func `a run stands for all times through its own`() throws {
        let offers = [10, 20, 30, 40].map {
            FleetBeat.Offer(slot: slot($0), definitionHash: "m", tolerance: nil)
        }
        _ = try beat("a", at: 0, offers: offers)
        _ = try claim("a", slot(20), at: 35, through: 30)
        let states = database.slotStatuses(at: now(35)).map(\.state)
        #expect(states == [.skipped, .leased, .skipped, .open])
        #expect(
            database.slotStatus(of: slot(10), at: now(35))?.reason
                == "the run for 2026-03-02T00:00:20Z stands for it")
        let late = try claim("b", slot(25), at: 36)
        #expect(late.verdict == .ended && late.slotStatus?.slot == slot(20))
        _ = try beat("b", at: 36, offers: [.init(slot: slot(25), definitionHash: "m", tolerance: nil)])
        #expect(database.slotStatus(of: slot(25), at: now(36)) == nil)
        // A host whose clock is ahead takes no future slot.
        _ = try claim("b", slot(40), at: 40, through: 4_000)
        #expect(try claim("c", slot(50), at: 50, limit: 9).verdict == .claimed)
    }

    @Test mutating func `repeat counts from the first lease of each slot`() throws {
        let first = try claim("a", slot(5), at: 3, every: 100_000)
        #expect(first.lease?.slot == slot(3))
        #expect(try claim("b", slot(4), at: 4, every: 100_000).verdict == .leased)
        _ = try finish(first.lease, .done, at: 50)
        let early = try claim("b", slot(50), at: 50, every: 100_000)
        #expect(early.verdict == .notDue && early.wait == 53_000)
        #expect(early.slotStatus?.slot == slot(3) && early.slotStatus?.next == 53_000)
        let next = try claim("b", slot(60), at: 120, every: 100_000)
        #expect(next.lease?.slot == slot(103))
        _ = try finish(next.lease, .open, at: 121, reason: "cut short")
        let again = try claim("c", slot(60), at: 130, every: 100_000)
        #expect(again.lease?.slot == slot(103) && again.attempt == 2)
        _ = try finish(again.lease, .done, at: 131)
        #expect(try claim("c", slot(60), at: 131, every: 100_000).wait == 89_000)
        // No host could run the slot at 220 within a minute: the task goes on all the same.
        let late = try claim("c", slot(60), at: 300, every: 100_000, tolerance: 60_000)
        #expect(late.lease?.slot == slot(300))
    }

    @Test mutating func `as many run at once as may, and not on hosts of one label`() throws {
        hello("a", at: 0, zone: "")
        for (index, name) in ["place-a", "place-b"].enumerated() {
            let answer = try claim(["a", "b"][index], slot(0, target: name), at: 0, limit: 2)
            #expect(answer.verdict == .claimed)
        }
        let full = try claim("c", slot(0, target: "place-c"), at: 0, limit: 2)
        #expect(full.verdict == .full && full.holders == ["name-a", "name-b"])
        #expect(
            try claim("c", slot(0, target: "place-c"), at: 0, limit: 3, spread: "zone").verdict == .claimed)
        database = FleetDatabase()
        for name in ["a", "b"] {
            let call = FleetHello(
                host: name, place: name, name: name, boot: "", version: "", manifest: "",
                labels: ["zone": "1"], jobs: [])
            _ = database.answer(.hello(call), at: start)
        }
        _ = try claim("a", slot(0, target: "a"), at: 0, limit: 9, spread: "zone")
        let near = try claim("b", slot(0, target: "b"), at: 0, limit: 9, spread: "zone")
        #expect(near.verdict == .full && near.holders == ["a"])
    }

    @Test mutating func `another definition gets a slot when no living host has the slot's`() throws {
        _ = try beat("a", at: 0, offers: [.init(slot: slot(10), definitionHash: "m", tolerance: nil)])
        hello("b", at: 10, definitionHash: "n")
        let differs = try claim("b", slot(10), at: 10, definitionHash: "n")
        #expect(differs.verdict == .differs && differs.holders == ["name-a", "name-c"])
        hello("b", at: 61, definitionHash: "n")
        #expect(try claim("b", slot(10), at: 61, definitionHash: "n").verdict == .claimed)
    }

    @Test mutating func `what nobody could start in time expires with a reason`() throws {
        _ = try beat("a", at: 0, offers: [.init(slot: slot(1), definitionHash: "m", tolerance: 10_000)])
        let late = try claim("a", slot(1), at: 11)
        #expect(late.verdict == .ended && late.slotStatus?.reason == "no host could start it in time")
        let lease = try claim("a", slot(20), at: 20, tolerance: 20_000).lease
        _ = try finish(lease, .open, at: 21, reason: "no power")
        let answer = try beat("a", at: 40, since: now(40).milliseconds)
        #expect(answer.news.map(\.state) == [.expired])
        #expect(answer.news.first?.reason == "no power; since then no host could start it in time")
    }

    @Test mutating func `what expires says what held the hosts back while they could have started it`() throws
    {
        func report(_ reason: String?) -> FleetBeat.Report {
            .init(task: task, gates: reason == nil ? [] : ["power"], reason: reason, half: nil, most: nil)
        }
        _ = try beat(
            "a", at: 0, offers: [.init(slot: slot(1), definitionHash: "m", tolerance: 60_000)],
            reports: [report("on battery")])
        _ = try beat("b", at: 1, reports: [report("on battery, too")])
        for name in ["a", "b", "c"] { _ = try beat(name, at: 35) }
        // They have given it up, and report on its next time.
        for name in ["a", "b"] { _ = try beat(name, at: 55, reports: [report("too early")]) }
        let answer = try beat("c", at: 66, since: now(60).milliseconds)
        #expect(
            answer.news.first?.reason
                == "no host could start it in time: name-a (on battery), name-b (on battery, too) and 1 more")
    }

    @Test mutating func `the best moment and the number of hosts are made anew each ten seconds`() throws {
        #expect(try beat("a", at: 0, scores: ["t": 0.5]).best == ["t": 0.5])
        #expect(try beat("b", at: 1, scores: ["t": 0.7]).best == ["t": 0.5])
        #expect(try beat("b", at: 10, scores: ["t": 0.7]).best == ["t": 0.7])
        database.drain("b", at: now(10))
        #expect(try beat("a", at: 20, scores: ["t": 0.5]).best == ["t": 0.5])
        #expect(try beat("a", at: 61, scores: ["t": 0.5]).hosts == 2, "c has been silent for 61 s")
        hello("next", at: 62, place: "place-a")
        #expect(try beat("a", at: 71, scores: ["t": 0.5]).hosts == 1, "one that was started again is one")
    }

    @Test mutating func `news are told until there are no more, however many come at once`() throws {
        let offers = (0..<1_700).map { FleetBeat.Offer(slot: slot(-$0), definitionHash: "m", tolerance: 1) }
        _ = try beat("a", at: 0, offers: offers)
        for round in 1...4 { _ = try beat("a", at: round * 10) }
        var (cursor, told) = (now(0).milliseconds, Set<SlotName>())
        for beats in 0..<8 {
            let answer = try beat("b", at: 60 + 15 * beats, since: cursor)
            (cursor, told) = (answer.cursor, told.union(answer.news.map(\.slot)))
        }
        #expect(told.count == 1_700)
    }

    @Test mutating func `who said goodbye does not live, until it is heard of again`() throws {
        _ = try beat("a", at: 0)
        guard case .leave = answer(.leave(.init(host: "b")), at: 1) else { throw Unexpected() }
        #expect(database.lives("a", at: now(1)) && !database.lives("b", at: now(1)))
        #expect(try beat("a", at: 10).hosts == 2)
        #expect(try beat("b", at: 11).known)
        #expect(database.lives("b", at: now(11)))
        #expect(try beat("a", at: 20).hosts == 3)
        _ = answer(.leave(.init(host: "b")), at: 21)
        hello("b2", at: 22, place: "place-b")
        #expect(!database.lives("b", at: now(22)) && database.lives("b2", at: now(22)))
        // A host that has said goodbye is forgotten at once.
        #expect(database.forget("b", at: now(22)).forgotten == 1)
    }

    @Test mutating func `who lives is not forgotten; who does not is, with what it had`() throws {
        _ = try claim("a", slot(0), at: 0)
        #expect(database.forget("name-a", at: now(60)).living == ["a"])
        let gone = database.forget("name-a", at: now(61))
        #expect(gone == .init(forgotten: 1, freed: 1))
        #expect(database.slotStatus(of: slot(0), at: now(61))?.reason == "its host name-a was forgotten")
        _ = try beat("b", at: 60)
        hello("b", at: 8 * 86_400)
        _ = try beat("b", at: 8 * 86_400)
        #expect(database.knownHosts == ["b"])
        hello("b", at: 100 * 86_400)
        _ = try beat("b", at: 100 * 86_400)
        #expect(database.slotStatuses(at: now(0)).count == 1, "expired just now")
        _ = try claim("b", slot(100 * 86_400), at: 100 * 86_400)
        hello("b", at: 191 * 86_400)
        _ = try beat("b", at: 191 * 86_400)
        #expect(database.slotStatus(of: slot(0), at: now(0)) == nil)
    }
}
