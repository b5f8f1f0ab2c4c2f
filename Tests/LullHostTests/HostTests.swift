import Foundation
import Glibc
import LullControl
import LullHistory
import LullModel
import LullScheduler
import LullSystem
import Testing

@testable import LullHost

/// The host without a worker, when the system around it fails.
struct HostTests {
    private static let full = HistoryError.full(path: "history.sqlite")

    @Test func `a service waits for a disk with room, until it is told to end`() throws {
        let desk = try HostDesk()
        let host = desk.host
        for _ in 0..<10 { host.historyTrouble(Self.full) }
        #expect(!host.isFinished)
        #expect(host.retryAt != nil)
        host.isShuttingDown = true
        host.historyTrouble(Self.full)
        #expect(host.isFinished)
    }

    @Test func `who tells a host to end for the second time waits for no disk`() throws {
        let desk = try HostDesk()
        try desk.record()
        desk.host.historyTrouble(Self.full)
        desk.host.received(SIGTERM)
        #expect(!desk.host.isFinished)
        desk.host.received(SIGINT)
        #expect(desk.host.isFinished)
    }

    @Test func `an app that has left the manifest before it was started keeps no host from ending`() throws {
        let desk = try HostDesk()
        let host = desk.host
        let name = try #require(AppIdentifier("com.example.App"))
        var manifest = Manifest(apps: [App(identifier: name, plugin: "/plugin.so")])
        let started = host.scheduler.handle(.manifestLoaded(manifest, stamps: [:]), at: host.now)
        try #require(started.contains(.startWorker(WorkerID(app: name, number: 1))))
        // The start waits for its record to be durable, and the manifest is reloaded meanwhile.
        manifest.apps = []
        host.manifest = manifest
        host.handle(.manifestLoaded(manifest, stamps: [:]))
        host.perform(.startWorker(WorkerID(app: name, number: 1)))
        host.handle(.shutdown)
        #expect(try host.isFinished || desk.turns())
        #expect(host.isFinished)
    }

    @Test func `a quiet host lets go of what is too old without any event`() throws {
        let desk = try HostDesk()
        let host = desk.host
        host.manifest.retention = Retention(events: .days(2), output: .days(1))
        for age in [3, 1] { try desk.record(at: Clock.wall - .days(age)) }
        host.commits.add(nil) { host.loop.stop() }
        #expect(try desk.turns())
        // The host keeps its own records whatever their times, and does not trust the clock yet.
        let pruned = host.commits.pruned
        host.commits.pruned = {
            pruned($0)
            host.loop.stop()
        }
        host.keepRetention()
        #expect(try desk.turns())
        host.commits.pruned = pruned
        #expect(try host.history.events().count == 2)
        // As if both records were of an earlier boot, and the clocks had agreed for two hours.
        let clocks = host.clocks
        let past = RetentionRule.Reading(
            boot: clocks.boot, sinceBoot: clocks.sinceBoot - .hours(2), wall: clocks.wall - .hours(2),
            isSynchronised: false)
        host.retentionRule = RetentionRule(past, RecordNumbers(event: 2, output: 0))
        host.retention = RetentionTimes(start: Clock.wall - .days(1))
        host.armLoop()
        // The deletion is durable after this.
        #expect(try desk.turns { host.retention.due.map { $0 > Clock.wall } ?? false })
        host.writer.flush()
        #expect(try host.history.events().count == 1)
        #expect(try host.history.checkpoint() != nil)
    }

    @Test func `what runs keeps its grace when a host that can write is told to end twice`() throws {
        let desk = try HostDesk()
        try desk.record()
        desk.host.received(SIGTERM)
        desk.host.received(SIGTERM)
        #expect(!desk.host.isFinished)
    }
}

/// A host that starts with long logs to catch up with.
struct CatchUpTests {
    /// The log is several pieces long, with a use in the last one.
    private func start() throws -> (HostDesk, AppIdentifier) {
        let desk = try HostDesk()
        let name = try #require(AppIdentifier("com.example.App"))
        var app = App(identifier: name, plugin: "/plugin.so")
        let log = desk.folder + "/log"
        app.usage = .sources([.log(path: log, match: "used", time: .strptime("%s"))])
        let filler = String(repeating: "x", count: 16 << 10) + "\n"
        let text = String(repeating: filler, count: Limits.usagePieceBytes * 5 / 2 / filler.utf8.count)
        try (text + "\(Clock.wall.seconds - 7200) used\n").write(
            toFile: log, atomically: false, encoding: .utf8)
        desk.host.manifest = Manifest(apps: [app])
        desk.host.start()
        return (desk, name)
    }

    @Test func `the manifest is in force once its logs are read, and who asks before waits for that`() throws
    {
        let (desk, name) = try start()
        let host = desk.host
        #expect(!host.hasBegun)
        #expect(host.scheduler.report(at: host.now).apps.isEmpty)
        var report: StatusReport?
        host.hear {
            $0.answer(Ask.Status()) { answer in
                report = try? answer.get()
                #expect(host.hasBegun)
                host.loop.stop()
            }
        }
        #expect(report == nil)
        #expect(try desk.turns())
        #expect(report?.apps.map(\.app) == [name])
        #expect(host.scheduler.ledger.apps[name]?.lastUsed != nil)
    }

    @Test func `who tells a host to end while it reads its logs does not wait for them`() throws {
        let (desk, _) = try start()
        desk.host.received(SIGTERM)
        #expect(try desk.host.isFinished || desk.turns())
        #expect(desk.host.isFinished)
        #expect(!desk.host.hasBegun)
    }
}
