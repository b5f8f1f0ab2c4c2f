import Foundation
import LullModel
import Testing

@testable import LullScheduler

struct LedgerTests {
    static let manifest: Manifest = {
        var manifest = whatIsDone
        manifest.costLimits = [CostLimit(.written, 1 << 30, span: .days(1))]
        manifest.apps[0].costLimits = [CostLimit(.processor, 60_000, span: .hours(3))]
        return manifest
    }()

    private static let whatIsDone = Sample.manifest([
        Sample.definition(Sample.refresh, .refresh) { $0.repeat = .minutes(15) },
        Sample.definition(Sample.cleaning, .processing) {
            $0.repeat = .hours(6); $0.requires.externalPower = true
        },
        Sample.definition(Sample.indexing, .processing) { $0.requires.network = .unmetered },
        Sample.definition(Sample.otherWork, of: Sample.other, .processing) {
            $0.repeat = .hours(1)
            $0.windows = [WindowCalendarTests.night]
        },
    ])

    /// Makes one random event happen.
    static func happen(to host: inout TestHost, _ random: inout SeededGenerator) {
        let tasks = manifest.tasks
        let task = tasks[Int.random(in: 0..<tasks.count, using: &random)]
        let run = host.running.randomElement(using: &random)
        switch Int.random(in: 0..<16, using: &random) {
        case 0...2:
            host.handle(
                .used(task.app, at: host.now.wall - .minutes(Int.random(in: 0...600, using: &random))))
        case 3...4:
            _ = host.submit(
                task.identifier, from: Bool.random(using: &random) ? task.app : nil,
                begin: Bool.random(using: &random) ? host.now.wall + .minutes(40) : nil)
        case 5:
            host.handle(.cancelled(task.app, Bool.random(using: &random) ? task.identifier : nil, reply: nil))
        case 6: _ = host.launch(task.identifier)
        case 7: host.handle(.expireRequested(task.identifier, reply: host.token()))
        case 8:
            host.handle(.enabled(task.app, Int.random(in: 0..<3, using: &random) > 0, reply: host.token()))
        case 9:
            host.handle(
                .conditionsChanged(
                    Conditions(
                        externalPower: .known(Bool.random(using: &random)),
                        network: .known(
                            [.none, .metered, .unmetered].randomElement(using: &random) ?? .none),
                        presence: Bool.random(using: &random)
                            ? .known(.active) : .known(.idle(since: .at(-9, 0))),
                        load: Double.random(in: 0..<2, using: &random))))
        case 10: host.handle(.workerExited(host.last(task.app), sentence: "ended by signal 11 (SIGSEGV)"))
        case 11...13:
            if let run {
                host.handle(.launchReturned(run))
                host.handle(.measured(run, RunCost(processor: 7000, written: 100 << 20)))
                host.handle(
                    .completed(run, success: Int.random(in: 0..<4, using: &random) > 0, summary: "did it"))
            }
        case 14: host.now.wall = host.now.wall + .minutes(Int.random(in: -90...90, using: &random))
        default: host.pass(.minutes(Int.random(in: 1...400, using: &random)), completing: false)
        }
    }

    @Test(arguments: 0..<20)
    func `a checkpoint and the events since are the ledger of the host that lived on`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var host = TestHost(Self.manifest)
        for _ in 0..<150 { Self.happen(to: &host, &random) }
        let checkpoint = try JSONEncoder().encode(host.state.ledger)
        let known = host.records.count
        for _ in 0..<150 { Self.happen(to: &host, &random) }

        var whole = Ledger()
        for event in host.records { whole.apply(event, zones: .utc) }
        #expect(whole == host.state.ledger, "seed \(seed)")
        var restored = try JSONDecoder().decode(Ledger.self, from: checkpoint)
        for event in host.records[known...] { restored.apply(event, zones: .utc) }
        #expect(restored == host.state.ledger, "seed \(seed)")
        #expect(host.records.count > 100, "seed \(seed)")
    }

    @Test(arguments: 0..<20)
    func `each request ends in exactly one way, and each run once`(seed: UInt64) {
        var random = SeededGenerator(seed: seed &+ 1000)
        var host = TestHost(Self.manifest)
        for _ in 0..<300 { Self.happen(to: &host, &random) }
        var pending: Set<RequestID> = []
        var running: Set<RunID> = []
        for event in host.records {
            switch event.event {
            case .submitted: #expect(event.request.map { pending.insert($0).inserted } == true)
            case .replaced, .merged, .cancelled, .givenUp:
                #expect(event.request.map { pending.remove($0) != nil } == true)
            case .launched:
                if let request = event.request { #expect(pending.remove(request) != nil) }
                #expect(event.run.map { running.insert($0).inserted } == true)
            case .completed, .failed, .interrupted:
                if let run = event.run { #expect(running.remove(run) != nil, "\(event)") }
            default: break
            }
        }
        #expect(pending == Set(host.state.pending(of: nil).map(\.id)), "seed \(seed)")
        #expect(running == Set(host.running), "seed \(seed)")
    }

    @Test func `equal ledgers are equal bytes`() throws {
        var random = SeededGenerator(seed: 7)
        var host = TestHost(Self.manifest)
        for _ in 0..<100 { Self.happen(to: &host, &random) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var again = Ledger()
        for event in host.records { again.apply(event, zones: .utc) }
        #expect(try encoder.encode(again) == encoder.encode(host.state.ledger))
    }

    @Test func `a checkpoint of another version is refused with both numbers`() {
        let text =
            #"{"version":9,"apps":[],"tasks":[],"runs":[],"spending":{},"nextRequest":1,"nextRun":1}"#
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Ledger.self, from: Data(text.utf8))
        }
        if case .dataCorrupted(let context) = error {
            #expect(
                context.debugDescription
                    == "the checkpoint has version 9, and this host reads version \(Ledger.version)")
        } else {
            Issue.record("\(String(describing: error))")
        }
    }

    @Test func `events that say too little are folded without harm`() {
        var ledger = Ledger()
        for name in HistoryEvent.Name.allCases {
            ledger.apply(HistoryEvent(name, at: .at(0, 0), app: Sample.feed), zones: .utc)
            ledger.apply(
                HistoryEvent(name, at: .at(0, 1), app: Sample.feed, task: Sample.refresh), zones: .utc)
            ledger.apply(
                HistoryEvent(
                    name, at: .at(0, 2), app: Sample.feed, task: Sample.refresh, request: RequestID(.max),
                    run: RunID(.max)), zones: .utc)
        }
        #expect(ledger.latest == .at(0, 2))
        #expect(ledger.nextRun > 0)
    }

    @Test func `what the manifest no longer lists is forgotten after 400 days, unless it waits`() {
        var ledger = Ledger()
        for (app, day) in [(Sample.feed, -401), (Sample.other, -399)] {
            ledger.apply(HistoryEvent(.used, at: .at(day, 0), app: app), zones: .utc)
        }
        var asked = HistoryEvent(
            .submitted, at: .at(-500, 0), app: Sample.feed, task: Sample.refresh, request: RequestID(1))
        asked.kind = .refresh
        ledger.apply(asked, zones: .utc)
        ledger.apply(
            HistoryEvent(.deferred, at: .at(-500, 0), app: Sample.feed, task: Sample.cleaning), zones: .utc)
        ledger.forget(before: .at(0, 0), keepingApps: { _ in false }, keepingTasks: { _ in false })
        #expect(ledger.apps.keys.sorted() == [Sample.other])
        #expect(ledger.tasks.keys.sorted() == [Sample.refresh])
    }

    @Test func `the record of an app stays small however long its history is`() throws {
        var ledger = Ledger()
        for hour in 0..<20_000 {
            let time = WallTime.at(-900, hour)
            ledger.apply(HistoryEvent(.used, at: time, app: Sample.feed), zones: .utc)
            var launched = HistoryEvent(
                .launched, at: time, app: Sample.feed, task: Sample.refresh, run: RunID(UInt64(hour + 1)))
            launched.kind = .refresh
            ledger.apply(launched, zones: .utc)
            var ended = HistoryEvent(
                .completed, at: time, app: Sample.feed, task: Sample.refresh, run: RunID(UInt64(hour + 1)))
            ended.outcome = .succeeded
            ledger.apply(ended, zones: .utc)
        }
        #expect(try JSONEncoder().encode(ledger).count < 32_000)
        #expect(ledger.runs.isEmpty)
    }
}
