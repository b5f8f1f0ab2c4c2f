import Foundation
import Glibc
import Logging
import LullConditions
import LullHistory
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullHost

/// A host on an empty state, created but not started.
final class HostDesk {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "lull-\(UUID().uuidString)"
    ).path
    let host: LullHost.Host
    private var timeout: LoopTimer?

    init(
        _ goal: HostConfiguration.Goal = .service,
        _ adapt: (inout HostConfiguration) -> Void = { _ in }
    ) throws {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        // A host blocks the signals that it reads, and children of other tests would inherit that mask.
        defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }
        let state = StateFolder(option: folder, environment: [:], isRoot: false)
        var configuration = HostConfiguration(
            goal: goal, state: state, manifestPath: folder + "/jobs.yaml", pluginPath: [],
            roots: ConditionRoots(stateFolder: folder), worker: "/bin/sh")
        adapt(&configuration)
        host = try LullHost.Host(
            configuration, manifest: Manifest(),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Adds a record, which is not durable until the loop turns.
    func record(at time: WallTime = Clock.wall) throws {
        let app = try #require(AppIdentifier("com.example.App"))
        host.eventsSinceCheckpoint += 1
        host.commits.add(HistoryBatch(events: [HistoryEvent(.used, at: time, app: app)]), then: nil)
    }

    /// Turns the loop until the host or a test stops it; false after `hangLimit`.
    func turns(until isSo: @escaping () -> Bool = { false }) throws -> Bool {
        var isLate = false
        timeout = try LoopTimer(on: host.loop) { [unowned self] in
            isLate = true
            host.loop.stop()
        }
        timeout?.arm(Clock.monotonic + hangLimit)
        host.loop.onAlarm = { [unowned self] in
            host.alarm()
            if isSo() { host.loop.stop() }
        }
        host.loop.run()
        timeout = nil
        return !isLate
    }
}
