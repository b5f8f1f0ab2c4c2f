import Foundation
import LullHistory
import LullModel
import TestSupport
import Testing

/// The promises of both implementations.
@Suite struct `A history` {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: Twin.allCases)
    func `is empty at first`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        let (checkpoint, events) = try history.load()
        #expect(checkpoint == nil)
        #expect(events == [])
        #expect(try history.output(of: RunID(1)) == nil)
        #expect(try !history.holdsNumbers())
    }

    /// This fails for a new field that no sample has, which might be lost without a test.
    @Test func `is tested with every field there is`() throws {
        func missing(_ value: Any, _ path: String) -> [String] {
            let mirror = Mirror(reflecting: value)
            if mirror.displayStyle == .optional, mirror.children.isEmpty { return [path] }
            guard [.struct, .optional].contains(mirror.displayStyle) else { return [] }
            return mirror.children.flatMap { missing($0.value, path + "." + ($0.label ?? "")) }
        }
        #expect(missing(try Sample.full(), "event") == [])
    }

    @Test(arguments: Twin.allCases)
    func `gives back every field of an event`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        var bare = try Sample.use(1)
        bare.gates = []
        bare.registered = []
        bare.requires = Requirements.none
        let events = [try Sample.full(), try Sample.use(0), bare]
        try history.append(HistoryBatch(events: events))
        #expect(try history.load().events == events)
    }

    @Test(arguments: Twin.allCases)
    func `gives back every name, outcome, kind and origin`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        var events = try Sample.names()
        for outcome in [
            Outcome.succeeded, .failed, .expired, .killed, .crashed, .unloadable, .interrupted,
        ] {
            var event = try Sample.launch(1, run: 1)
            event.outcome = outcome
            events.append(event)
        }
        for kind in Kind.allCases {
            for origin in [TaskRequest.Origin.plugin, .repeat, .at, .operator] {
                var event = try Sample.use(2)
                (event.kind, event.origin) = (kind, origin)
                events.append(event)
            }
        }
        try history.append(HistoryBatch(events: events))
        #expect(try history.load().events == events)
    }

    @Test(arguments: Twin.allCases)
    func `gives back any fields with any values`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        var random = SeededGenerator(seed: 11)
        let events = try (0..<2000).map { _ in try Sample.random(using: &random) }
        try history.append(HistoryBatch(events: events))
        #expect(try history.load().events == events)
    }

    @Test func `holds no number that JSON has not`() throws {
        var event = try Sample.use(0)
        (event.price, event.budget) = (.nan, .infinity)
        event.shares = ["network": 1.5, "battery": .nan, "load": 0.5, "disk": -0.1]
        #expect((event.price, event.budget) == (nil, nil))
        #expect(event.shares == ["load": 0.5])
    }

    @Test(arguments: Twin.allCases)
    func `loads in the order of writing and shows in the order of time`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        let (late, early, same) = (try Sample.use(9), try Sample.use(1), try Sample.use(1, "Other"))
        try history.append(HistoryBatch(events: [late, early]))
        try history.append(HistoryBatch(events: [same]))
        #expect(try history.load().events == [late, early, same])
        #expect(try history.events() == [early, same, late])
        #expect(try history.events(matching: HistoryQuery(order: .newestFirst)) == [late, same, early])
    }

    @Test(arguments: Twin.allCases)
    func `leaves out what few events have where it is not asked for`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        var launched = try Sample.full()
        launched.event = .launched
        try history.append(HistoryBatch(events: [try Sample.full(), launched]))
        var query = HistoryQuery(task: try Sample.task())
        query.brief = [.launched]
        var brief = HistoryEvent(
            .launched, at: launched.time, app: launched.app, task: launched.task, request: launched.request,
            run: launched.run, outcome: launched.outcome, reason: launched.reason)
        brief.milliseconds = launched.milliseconds
        #expect(try history.events(matching: query) == [Sample.full(), brief])
    }

    @Test(arguments: Twin.allCases)
    func `answers queries as the query itself would`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        var events = try Sample.uses(0..<5) + [try Sample.use(2, "Other")]
        for run in 1...4 {
            events.append(
                try Sample.launch(run, run: UInt64(run), task: run.isMultiple(of: 2) ? "refresh" : "clean"))
        }
        try history.append(HistoryBatch(events: events))
        let time = Sample.start + .minutes(2)
        let queries: [HistoryQuery] = [
            HistoryQuery(), HistoryQuery(app: try Sample.app()), HistoryQuery(app: try Sample.app("Other")),
            HistoryQuery(app: try Sample.app("Nobody")), HistoryQuery(task: try Sample.task()),
            HistoryQuery(request: RequestID(3)), HistoryQuery(run: RunID(2)), HistoryQuery(names: [.used]),
            HistoryQuery(names: [.used, .launched]), HistoryQuery(names: [.failed]),
            HistoryQuery(since: time), HistoryQuery(until: time),
            HistoryQuery(app: try Sample.app(), names: [.launched], since: time, until: time + .minutes(1)),
        ]
        for query in queries {
            let expected = events.enumerated().filter { query.matches($0.element) }
                .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
            #expect(try history.events(matching: query) == expected)
            var other = query
            (other.order, other.limit) = (.newestFirst, 2)
            #expect(try history.events(matching: other) == Array(expected.reversed().prefix(2)))
        }
        #expect(try history.events(matching: HistoryQuery(limit: 0)) == [])
    }

    @Test(arguments: Twin.allCases)
    func `loads the checkpoint and only what came after it`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        let state = Checkpoint(version: 3, data: Data([1, 2, 3]))
        try history.append([
            HistoryBatch(events: try Sample.uses(0..<3), checkpoint: Checkpoint(version: 1, data: Data())),
            HistoryBatch(events: try Sample.uses(3..<5), checkpoint: state),
            HistoryBatch(events: try Sample.uses(5..<7)),
        ])
        let (checkpoint, events) = try history.load()
        #expect(checkpoint?.version == 3)
        #expect(checkpoint?.data == state.data)
        #expect(checkpoint?.seq == 5)
        #expect(events == (try Sample.uses(5..<7)))
        #expect(try history.events() == Sample.uses(0..<7))
    }

    @Test(arguments: Twin.allCases)
    func `keeps old events that no checkpoint covers`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        try history.append(HistoryBatch(events: try Sample.uses(0..<10)))
        let end = Sample.start + .days(999)
        #expect(
            try history.prune(eventsBefore: end, outputsBefore: end).events == 0)
        #expect(try history.load().events == Sample.uses(0..<10))
    }

    @Test(arguments: Twin.allCases)
    func `folds old events into the checkpoint and loses nothing`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        // Here the state is the number of uses, which a restart must find again.
        try history.append([
            HistoryBatch(
                events: try Sample.uses(0..<10), checkpoint: Checkpoint(version: 1, data: Data([10]))),
            HistoryBatch(events: try Sample.uses(10..<14)),
        ])
        func uses() throws -> Int {
            let (checkpoint, events) = try history.load()
            return Int(checkpoint?.data.first ?? 0) + events.count
        }
        #expect(try uses() == 14)
        let report = try history.prune(eventsBefore: Sample.start + .minutes(12), outputsBefore: .distantPast)
        #expect(report.events == 10)
        #expect(try uses() == 14)
        #expect(try history.events() == Sample.uses(10..<14))
    }

    @Test(arguments: Twin.allCases)
    func `never gives a number twice, even when all events are pruned`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        try history.append(
            HistoryBatch(events: try Sample.uses(0..<4), checkpoint: Checkpoint(version: 1, data: Data())))
        _ = try history.prune(eventsBefore: .distantFuture, outputsBefore: .distantPast)
        #expect(try history.events() == [])
        try history.append(HistoryBatch(events: try Sample.uses(4..<5)))
        #expect(try history.load().events == Sample.uses(4..<5))
    }

    @Test(arguments: Twin.allCases)
    func `keeps what runs printed, and prunes it by its time`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        try history.append([
            HistoryBatch(outputs: [Sample.chunk(1, "one\n"), Sample.chunk(2, "two\n", minute: 5)]),
            HistoryBatch(outputs: [
                Sample.chunk(1, "more\n"), Sample.chunk(1, ""),
                OutputChunk(
                    run: RunID(1), stream: .standardError, time: Sample.start, bytes: Array("oh\n".utf8),
                    isShared: true),
            ]),
        ])
        let output = try #require(try history.output(of: RunID(1)))
        #expect(output.text == "one\nmore\noh\n")
        #expect(
            output.ownText
                == "one\nmore\n… 3 bytes left out, printed while other runs of the app were under way: "
                + "`lull history 1` has them …\n")
        #expect(output.dropped == 0)
        #expect(output.pieces.map(\.stream) == [.standardOutput, .standardError])
        #expect(output.pieces.map(\.isShared) == [false, true])
        let report = try history.prune(eventsBefore: .distantPast, outputsBefore: Sample.start + .minutes(5))
        #expect(report.outputs == 2)
        #expect(try history.output(of: RunID(1)) == nil)
        #expect(try history.output(of: RunID(2))?.text == "two\n")
    }

    @Test(arguments: Twin.allCases)
    func `tells which events it does not hold yet`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        try history.append(HistoryBatch(events: try Sample.uses(0..<3)))
        var retold = try Sample.use(1)
        retold.reason = "told again"
        let other = try Sample.use(1, "Other")
        let launched = try Sample.launch(1, run: 1)
        let unknown = try history.unknown(among: [retold, other, other, launched, try Sample.use(3)])
        #expect(unknown == [other, launched, try Sample.use(3)])
    }

    @Test(arguments: Twin.allCases)
    func `knows whether it holds numbers of its own`(_ twin: Twin) throws {
        let history = try twin.make(in: folder)
        try history.append(HistoryBatch(events: try Sample.uses(0..<3)))
        #expect(try !history.holdsNumbers())
        try history.append(HistoryBatch(events: [try Sample.launch(3, run: 1)]))
        #expect(try history.holdsNumbers())
    }

    @Test func `keeps the same of a flood of output in both implementations`() throws {
        let twins = try Twin.allCases.map { try $0.make(in: folder) }
        var random = SeededGenerator(seed: 42)
        var all: [UInt8] = []
        for step in 0..<300 {
            let count = Int.random(in: 0...(step.isMultiple(of: 50) ? 90_000 : 1500), using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let chunk = OutputChunk(
                run: RunID(1), stream: Bool.random(using: &random) ? .standardOutput : .log,
                time: Sample.start,
                bytes: bytes)
            all += bytes
            for twin in twins { try twin.append(HistoryBatch(outputs: [chunk])) }
        }
        let outputs = try twins.map { try #require(try $0.output(of: RunID(1))) }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0].total == all.count)
        #expect(outputs[0].pieces.flatMap(\.bytes) == Array(all.prefix(32 << 10) + all.suffix(32 << 10)))
        #expect(outputs[0].dropped == all.count - (64 << 10))
    }
}
