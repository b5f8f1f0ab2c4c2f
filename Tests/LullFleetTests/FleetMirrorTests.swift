import LullModel
import Testing

@testable import LullFleet

/// A host's history beside a database that fails in every way.
final class MirrorWorld {
    let fleet = FakeFleet()
    var history: [Int64] = []
    var alarm: MonotonicTime?
    var reads = 0
    var readsFail = false
    var lineBytes = 100
    /// Events that stay on the host.
    var local: Set<Int64> = []
    /// Times of events; an event without one is from the beginning.
    var times: [Int64: WallTime] = [:]
    var now = WallTime(seconds: 0)
    private var mirror: FleetMirror?

    init() { restart() }

    /// Starts a new process of the place.
    func restart() {
        let sender = FleetMirror.Sender(host: "h1", place: "p1", name: "b12")
        mirror = FleetMirror(
            sender, since: now, clock: { [unowned self] in fleet.clock },
            arm: { [unowned self] in alarm = $0 },
            read: { [unowned self] in read($0, $1) },
            call: { [unowned self] in fleet.call($0, $1, $2) })
    }

    var it: FleetMirror {
        guard let mirror else { preconditionFailure("A world has a mirror.") }
        return mirror
    }

    func record(_ count: Int) {
        let last = history.last ?? 0
        for number in 1...Int64(count) {
            history.append(last + number)
            times[last + number] = now
        }
        it.recorded()
    }

    private func read(
        _ request: MirrorPage.Request, _ then: (Result<MirrorPage, FleetMirror.Unread>) -> Void
    ) {
        reads += 1
        if readsFail { return then(.failure(.init("its lock is held."))) }
        let first = request.after == 0 ? request.oldest : nil
        let rest = history.filter { number in
            number > request.after && (times[number] ?? WallTime(seconds: 0)) >= first ?? WallTime(seconds: 0)
        }
        let most = min(request.events, max(1, request.bytes / lineBytes))
        var lines: [MirrorPage.Line] = []
        var (end, withheld) = (request.after, 0)
        for number in rest.prefix(MirrorPage.mostRead) {
            let isLocal = local.contains(number)
            guard isLocal || lines.count < most else { break }
            end = number
            withheld += 1
            guard !isLocal else { continue }
            let text = request.isBrief ? "{\"bare\":true}" : "{\"event\":\"e\(number)\"}"
            lines.append(.init(sequence: number, text: text, withheld: withheld - 1))
            withheld = 0
        }
        let outputs =
            request.isBrief
            ? []
            : lines.filter { $0.sequence.isMultiple(of: 10) }.map {
                MirrorPage.Output(run: RunID(UInt64($0.sequence)), sequence: $0.sequence, text: "out")
            }
        then(
            .success(
                MirrorPage(
                    lines: lines, outputs: outputs, after: request.after, through: end, withheld: withheld,
                    isFull: rest.last.map { $0 > end } ?? false, last: history.last ?? 0)))
    }

    /// Rings the timer until it is not armed, at most `rings` times.
    func run(rings: Int = 10_000) {
        for _ in 0..<rings {
            guard let time = alarm else { return }
            alarm = nil
            fleet.clock = max(fleet.clock, time)
            it.ring()
        }
    }

    var isWhole: Bool { fleet.events.keys.sorted() == history && fleet.missing == 0 }
}

struct FleetMirrorTests {
    @Test func `what was recorded before and after the connection arrives in its order`() {
        let world = MirrorWorld()
        world.record(450)
        #expect(world.fleet.calls.isEmpty && world.alarm == nil && world.reads == 0)
        world.it.connected()
        world.run()
        #expect(world.isWhole)
        #expect(world.fleet.outputs.count == 45)
        world.record(3)
        world.record(2)
        world.run()
        #expect(world.isWhole)
        let sizes = world.fleet.calls.map { $0.events?.count ?? 0 }
        #expect(sizes == [0, 200, 200, 50, 5])
    }

    @Test func `with nothing to send it has no timer and reads nothing`() {
        let world = MirrorWorld()
        world.record(5)
        world.it.connected()
        world.run()
        let (reads, calls) = (world.reads, world.fleet.calls.count)
        world.run()
        #expect(world.alarm == nil && world.reads == reads && world.fleet.calls.count == calls)
    }

    @Test func `without a connection nothing is read, sent or armed`() {
        let world = MirrorWorld()
        world.record(5)
        world.it.connected()
        world.run()
        world.it.disconnected()
        let reads = world.reads
        world.record(500)
        world.run()
        #expect(world.alarm == nil && world.reads == reads)
        world.it.connected()
        world.run()
        #expect(world.isWhole)
    }

    @Test func `a host that has lost its cursor goes on where the database is`() {
        let world = MirrorWorld()
        world.record(30)
        world.it.connected()
        world.run()
        // A new process of the same place.
        let next = FleetMirror(
            .init(host: "h2", place: "p1", name: "b12"), since: WallTime(seconds: 0),
            clock: { world.fleet.clock }, arm: { world.alarm = $0 },
            read: { request, then in
                #expect(request.after == 30)
                then(.success(MirrorPage(lines: [], outputs: [], after: 30, isFull: false, last: 30)))
            }, call: { world.fleet.call($0, $1, $2) })
        next.connected()
        #expect(world.isWhole && world.alarm == nil && next.trouble == nil)
    }

    @Test func `a backlog has at most half of the connection's time`() {
        let world = MirrorWorld()
        world.fleet.takes = .milliseconds(80)
        world.record(20_000)
        world.it.connected()
        world.run()
        #expect(world.isWhole)
        let busy = Duration.milliseconds(80) * world.fleet.calls.count
        let whole = world.fleet.clock - MonotonicTime(nanoseconds: 0)
        #expect(busy.inSeconds / whole.inSeconds < 0.52)
    }

    @Test func `what every host records alike stays here, and is no gap in the database`() {
        let world = MirrorWorld()
        world.record(1)
        world.it.connected()
        world.run()
        let calls = world.fleet.calls.count
        // Another host runs each slot: this one records it and sends nothing.
        for _ in 0..<90 {
            let last = world.history.last ?? 0
            world.local.formUnion(last + 1...last + 3)
            world.record(3)
            world.run()
        }
        #expect(world.fleet.calls.count == calls && world.fleet.through == 1 && world.it.backlog == 0)
        world.record(2)
        world.run()
        #expect(world.fleet.calls.count == calls + 1 && world.fleet.events.keys.sorted() == [1, 272, 273])
        #expect(world.fleet.missing == 0 && world.fleet.through == 273)
        // A new process reads on where the database is.
        world.local.insert(274)
        world.record(1)
        world.restart()
        world.record(1)
        world.it.connected()
        world.run()
        #expect(world.fleet.events.keys.sorted() == [1, 272, 273, 275] && world.fleet.missing == 0)
    }

    @Test func `the database is told seldom of what stays here, so that what is deleted later is no gap`() {
        let world = MirrorWorld()
        world.record(1)
        world.it.connected()
        world.run()
        world.local.formUnion(2...2_101)
        let calls = world.fleet.calls.count
        for _ in 0..<21 {
            world.record(100)
            world.run()
        }
        #expect(world.fleet.calls.count == calls + 2 && world.fleet.through == 2_001)
        world.fleet.clock = world.fleet.clock + .hours(13)
        world.local.insert(2_102)
        world.record(1)
        world.run()
        #expect(world.fleet.calls.count == calls + 3 && world.fleet.through == 2_102)
        #expect(world.fleet.missing == 0 && world.fleet.events.keys.sorted() == [1])
    }

    @Test func `a page without events that is refused names none`() {
        let world = MirrorWorld()
        world.record(1)
        world.it.connected()
        world.run()
        world.local.formUnion(2...1_001)
        world.fleet.fates = [.refuses]
        var troubles: [String] = []
        world.it.onTrouble = { troubles += $0.map { [$0] } ?? [] }
        world.record(1_000)
        world.run()
        #expect(troubles.count == 1 && troubles.first?.contains("does not reach") == true, "\(troubles)")
        #expect(world.fleet.through == 1_001 && world.it.trouble == nil)
    }

    @Test func `large events go in smaller pages`() {
        let world = MirrorWorld()
        world.lineBytes = 100 << 10
        world.record(7)
        world.it.connected()
        world.run()
        #expect(world.isWhole)
        #expect(world.fleet.calls.map { $0.events?.count ?? 0 } == [0, 2, 2, 2, 1])
    }

    /// Each of the first calls fails in each way.
    @Test(arguments: 0..<5, [FakeFleet.Fate.fails, .lost, .away, .hangs])
    func `a failure amid a batch loses and doubles nothing`(call: Int, fate: FakeFleet.Fate) {
        let world = MirrorWorld()
        world.record(700)
        world.fleet.fates = Array(repeating: .well, count: call) + [fate]
        world.it.connected()
        world.run()
        if fate != .fails {
            world.it.disconnected()
            world.record(3)
            world.it.connected()
            world.run()
        }
        #expect(world.isWhole && world.it.trouble == nil)
    }

    @Test func `a database that fails is tried at ever longer intervals, and says why`() {
        let world = MirrorWorld()
        world.record(3)
        world.fleet.fates = Array(repeating: [.well, .fails], count: 7).flatMap { $0 }
        world.it.connected()
        #expect(world.it.trouble?.contains("the disk is full.") == true)
        var waits: [Double] = []
        for _ in 0..<6 {
            waits.append(world.alarm.map { ($0 - world.fleet.clock).inSeconds } ?? 0)
            world.run(rings: 1)
        }
        #expect(waits == [30, 60, 120, 240, 480, 600])
        world.run()
        #expect(world.isWhole && world.it.trouble == nil)
    }

    /// Behind a pooler the connection may survive a failover.
    @Test func `what a failover has lost is sent again, though no connection ended`() {
        let world = MirrorWorld()
        world.record(300)
        world.it.connected()
        world.run()
        world.fleet.lose(after: 120)
        world.record(2)
        world.run()
        #expect(world.isWhole && world.it.trouble == nil)
    }

    @Test func `a history that can't be read is read later`() {
        let world = MirrorWorld()
        world.record(3)
        world.readsFail = true
        world.it.connected()
        #expect(world.it.trouble?.contains("its lock is held.") == true)
        world.readsFail = false
        world.run()
        #expect(world.isWhole)
    }

    @Test func `an event that is refused goes barely, and is left out if it is refused then, too`() {
        let world = MirrorWorld()
        world.record(300)
        world.fleet.refused = [77, 201]
        world.fleet.refusedBarely = [150]
        var troubles: [String] = []
        world.it.onTrouble = { troubles += $0.map { [$0] } ?? [] }
        world.it.connected()
        world.run()
        #expect(world.fleet.events.keys.sorted() == world.history.filter { $0 != 150 })
        #expect(world.fleet.missing == 1)
        let bare = world.fleet.events.filter { $0.value == ["bare": true] }.keys.sorted()
        #expect(bare == [77, 201])
        #expect(troubles.count == 1 && troubles.first?.contains("event 150") == true)
        // It sends half pages at first, and soon whole ones again.
        #expect(world.fleet.calls.count < 60)
    }

    @Test func `a state folder that was restored from a copy gets a place of its own`() {
        let world = MirrorWorld()
        world.record(30)
        world.it.connected()
        world.run()
        world.history = Array(world.history.prefix(10))
        world.now = WallTime(seconds: 1000)
        world.restart()
        var sentences: [String] = []
        world.it.onForeign = { sentence in
            sentences.append(sentence)
            world.it.move(to: "p2")
            world.it.connected()
        }
        world.record(3)
        world.it.connected()
        world.run()
        #expect(sentences.count == 1 && sentences[0].contains("restored from a copy"))
        world.record(2)
        world.run()
        // Events from before the copy are not sent again.
        #expect(world.fleet.place == "p2" && world.fleet.events.keys.sorted() == [11, 12, 13, 14, 15])
        #expect(world.fleet.others["p1"]?.through == 30 && world.it.trouble == nil)
    }

    @Test func `of two hosts with one place the one that moves sends the rest to the other`() {
        let world = MirrorWorld()
        world.record(30)
        world.it.connected()
        world.run()
        world.record(4)
        world.it.move(to: "p2")
        #expect(world.alarm == nil)
        world.it.connected()
        world.run()
        #expect(world.fleet.events.keys.sorted() == [31, 32, 33, 34] && world.fleet.missing == 0)
        world.it.disconnected()
        world.record(1)
        world.it.connected()
        world.run()
        #expect(world.fleet.events.keys.sorted() == [31, 32, 33, 34, 35])
    }

    @Test func `what a failover loses after a move is sent to the new place again, and nothing else`() {
        let world = MirrorWorld()
        world.record(30)
        world.it.connected()
        world.run()
        world.it.move(to: "p2")
        world.record(6)
        world.it.connected()
        world.run()
        world.fleet.lose(after: 32)
        world.it.disconnected()
        world.record(1)
        world.it.connected()
        world.run()
        #expect(world.fleet.events.keys.sorted() == Array(31...37) && world.fleet.missing == 0)
        // The connection may survive, and the database have nothing at all.
        world.fleet.lose(after: 0)
        world.record(1)
        world.run()
        #expect(world.fleet.events.keys.sorted() == Array(31...38) && world.it.trouble == nil)
    }

    @Test func `an answer of an earlier connection is nobody's`() {
        let world = MirrorWorld()
        var late: [(Result<String, FleetUnanswered>) -> Void] = []
        let mirror = FleetMirror(
            .init(host: "h1", place: "p1", name: "b12"), since: WallTime(seconds: 0),
            clock: { world.fleet.clock }, arm: { world.alarm = $0 },
            read: { _, _ in Issue.record("nothing is known to read after") },
            call: { late.append($2) })
        mirror.connected()
        mirror.disconnected()
        late[0](.success("{\"through\":10,\"oldest\":0}"))
        mirror.connected()
        late[0](.failure(.failed("late")))
        #expect(mirror.trouble == nil && late.count == 2)
    }

    @Test func `what PostgreSQL can't keep in its JSON is replaced`() {
        let line = #"{"a":"x\u0000y","b":"\\u0000","c":"\\\u0000\u0001"}"#
        let sent = #"{"a":"x\ufffdy","b":"\\u0000","c":"\\\ufffd\u0001"}"#
        #expect(MirrorPage.sent(line) == sent)
        let page = MirrorPage(
            lines: [], outputs: [.init(run: RunID(1), sequence: 2, text: "a\0b")], after: 0, isFull: false,
            last: 2)
        #expect(!page.body.contains("u0000") && page.body.contains("a\u{FFFD}b"))
    }
}

extension MirrorPage {
    /// A line as the page sends it.
    static func sent(_ line: String) -> String {
        let page = MirrorPage(
            lines: [.init(sequence: 1, text: line)], outputs: [], after: 0, isFull: false, last: 1)
        let (head, tail) = (#""events":[{"seq":1,"line":"#, #"}],"outputs":[],"through":1,"withheld":0"#)
        return String(page.body.dropFirst(head.count).dropLast(tail.count))
    }
}
