import Glibc
import LullHistory
import LullLoop
import LullModel
import LullScheduler
import Testing

@testable import LullHost

/// The host's own deeds, without a worker: what it does when the world does not do its part.
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
        try #require(started.contains(.startWorker(name)))
        // The start waits for the log, and the manifest is read again.
        manifest.apps = []
        host.manifest = manifest
        host.handle(.manifestLoaded(manifest, stamps: [:]))
        host.perform(.startWorker(name))
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
        host.retention = RetentionTimes(start: Clock.wall - .days(1))
        host.armLoop()
        // What is deleted is deleted behind this.
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
