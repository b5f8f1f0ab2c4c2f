import Foundation
import Glibc
import Logging
import LullConditions
import LullHistory
import LullLoop
import LullModel
import LullScheduler
import Testing

@testable import LullHost

/// The host's own deeds, without a worker: what it does when the world does not do its part.
struct HostTests {
    /// A host on an empty state that has been made and not begun.
    private final class Desk {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "lull-\(UUID().uuidString)"
        ).path
        let host: LullHost.Host
        private var patience: LoopTimer?

        init(_ goal: HostConfiguration.Goal = .service) throws {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            // A host blocks the signals that it reads: other tests' children would inherit that.
            defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
            let state = StateFolder(option: folder, environment: [:], isRoot: false)
            let configuration = HostConfiguration(
                goal: goal, state: state, manifestPath: folder + "/jobs.yaml", pluginPath: [],
                roots: ConditionRoots(stateFolder: folder), worker: "/bin/sh")
            host = try LullHost.Host(
                configuration, manifest: Manifest(),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        /// Something that is not durable as long as the loop does not turn.
        func record(at time: WallTime = Clock.wall) throws {
            let app = try #require(AppIdentifier("com.example.App"))
            host.eventsSinceCheckpoint += 1
            host.commits.add(HistoryBatch(events: [HistoryEvent(.used, at: time, app: app)]), then: nil)
        }

        /// Turns until the host or a test ends that; false when nobody does.
        func turns(until isSo: @escaping () -> Bool = { false }) throws -> Bool {
            var isLate = false
            patience = try LoopTimer(on: host.loop) { [unowned self] in
                isLate = true
                host.loop.stop()
            }
            patience?.arm(Clock.monotonic + .seconds(60))
            host.loop.onAlarm = { [unowned self] in
                host.alarm()
                if isSo() { host.loop.stop() }
            }
            host.loop.run()
            patience = nil
            return !isLate
        }
    }

    private static let full = HistoryError.full(path: "history.sqlite")

    @Test func `a service waits for a disk with room, until it is told to end`() throws {
        let desk = try Desk()
        let host = desk.host
        for _ in 0..<10 { host.historyTrouble(Self.full) }
        #expect(!host.isFinished)
        #expect(host.retryAt != nil)
        host.isShuttingDown = true
        host.historyTrouble(Self.full)
        #expect(host.isFinished)
    }

    @Test func `who tells a host to end for the second time waits for no disk`() throws {
        let desk = try Desk()
        try desk.record()
        desk.host.historyTrouble(Self.full)
        desk.host.received(SIGTERM)
        #expect(!desk.host.isFinished)
        desk.host.received(SIGINT)
        #expect(desk.host.isFinished)
    }

    @Test func `an app that has left the manifest before it was started keeps no host from ending`() throws {
        let desk = try Desk()
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
        let desk = try Desk()
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
        let desk = try Desk()
        try desk.record()
        desk.host.received(SIGTERM)
        desk.host.received(SIGTERM)
        #expect(!desk.host.isFinished)
    }
}
