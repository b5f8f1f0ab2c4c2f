import Foundation
import LullHistory
import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Less load than that of `make bench` (`Benchmarks/run load`), so that each build finds out whether the host loses any.
struct LoadTests {
    private static let start = WallTime(seconds: 1_795_392_000)

    @Test func `submits as fast as they come are all durable, in order, and pending after a restart`() throws
    {
        let folder = try Workshop(rest: true)
        let manifest = manifest(apps: 50, tasks: 10)
        var scheduler = SchedulerState(ledger: Ledger(), options: SchedulerOptions(discovers: false))
        let now = Now(wall: Self.start, monotonic: MonotonicTime(nanoseconds: 1))
        let stamps = Dictionary(manifest.apps.map { ($0.identifier, "1") }) { first, _ in first }
        _ = scheduler.handle(.conditionsChanged(Conditions()), at: now)
        _ = scheduler.handle(.manifestLoaded(manifest, stamps: stamps), at: now)
        let writer = HistoryWriter(try SQLiteHistory.open(folder: folder.state, mode: .readWrite))
        var accepted: [RequestID] = []
        for number in 0..<10_000 {
            let task = manifest.tasks[number % manifest.tasks.count].identifier
            let submission = Submission(
                app: nil, task: task, earliestBegin: Self.start + .days(1 + number % 30))
            var events: [HistoryEvent] = []
            for effect in scheduler.handle(.submitted(submission, reply: Token(UInt64(number))), at: now) {
                if case .record(let event) = effect { events.append(event) }
                if case .reply(_, .accepted(let id, _)) = effect { accepted.append(id) }
            }
            writer.submit(HistoryBatch(events: events))
        }
        writer.close()
        #expect(accepted.count == 10_000)

        let history = try SQLiteHistory.open(folder: folder.state, mode: .readOnly)
        var account = Account()
        try account.read(history)
        #expect(account.faults.isEmpty)
        #expect(Set(accepted) == Set(account.submitted.keys))
        #expect(account.pending.count == manifest.tasks.count)
        var ledger = Ledger()
        try history.forEachEvent(after: 0) { ledger.apply($0, zones: .utc) }
        var next = SchedulerState(ledger: ledger, options: SchedulerOptions(discovers: false))
        _ = next.handle(.manifestLoaded(manifest, stamps: stamps), at: now)
        #expect(Set(next.pending(of: nil).map(\.id)) == account.pending)
    }

    @Test func `many tasks over simulated days break no invariant, and what is asked for is accounted for`()
        throws
    {
        var manifest = manifest(apps: 8, tasks: 10)
        for app in manifest.apps.indices {
            for task in manifest.apps[app].tasks.indices {
                manifest.apps[app].tasks[task].repeat = .hours(24)
            }
        }
        manifest.hostConcurrency = 16
        var simulation = Simulation(World(manifest: manifest, start: Self.start, seed: 5))
        simulation.run(days: 2)
        #expect(simulation.trace.faults.isEmpty)
        let events = simulation.trace.events
        let submitted = Set(events.filter { $0.event == .submitted }.compactMap(\.request))
        let ended = events.filter {
            [.launched, .replaced, .merged, .cancelled, .givenUp].contains($0.event)
        }
        .compactMap(\.request)
        #expect(Set(ended).count == ended.count)
        #expect(submitted.isSuperset(of: ended))
        #expect(submitted.count - ended.count == manifest.tasks.count)
        #expect(simulation.trace.launches.count >= manifest.tasks.count)
    }

    private func manifest(apps: Int, tasks: Int) -> Manifest {
        var manifest = Manifest()
        for number in 0..<apps {
            guard let identifier = AppIdentifier("com.example.Load\(number)") else { continue }
            var app = App(identifier: identifier, plugin: "/nowhere.so")
            app.idleAfter = nil
            for index in 0..<tasks {
                guard let task = TaskIdentifier("task\(index)", of: identifier) else { continue }
                var definition = TaskDefinition(identifier: task, app: identifier, kind: .processing)
                definition.requires.idle = false
                app.tasks.append(definition)
            }
            manifest.apps.append(app)
        }
        return manifest
    }
}
