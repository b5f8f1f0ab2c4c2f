import BackgroundTasks
import CLullPlugin
import Synchronization

/// A host in the test's own process: the C table that a worker would hand over, and a record of what came
/// through it.
final class FakeHost: Sendable {
    struct Completion: Sendable, Equatable {
        var task: lull_task
        var success: Bool
    }

    struct Line: Sendable, Equatable {
        var level: lull_level
        var task: lull_task?
        var message: String
    }

    struct Request: Sendable, Equatable {
        var kind: lull_kind
        var identifier: String
        var earliestBegin: Int64 = 0
        var requirements: lull_requirements = 0
    }

    struct Record: Sendable {
        var permitted: Set<String> = []
        var registered: [String] = []
        var verdict: lull_status = lull_status(LULL_OK)
        var reason = ""
        var submitted: [Request] = []
        var cancelled: [String?] = []
        var completed: [Completion] = []
        var lines: [Line] = []
        var watched: [lull_task: Watch] = [:]
    }

    /// Who is told of a task's expiration.
    struct Watch: Sendable {
        // Safe: it is only handed back to the scheduler it points to, which the test keeps alive.
        nonisolated(unsafe) var context: UnsafeMutableRawPointer?
        var handler: @Sendable @convention(c) (UnsafeMutableRawPointer?, lull_task) -> Void
    }

    let record = Mutex(Record())
    /// Each completion as it arrives.
    let completions: AsyncStream<Completion>
    let completion: AsyncStream<Completion>.Continuation

    // Safe: written here and nowhere else.
    nonisolated(unsafe) let table: UnsafeMutablePointer<lull_host>

    /// The size before anything was appended to the first draft of the table: up to and including `progress`.
    static let smallestSize = 96

    init(permitted: Set<String> = [], size: Int = MemoryLayout<lull_host>.size) {
        (completions, completion) = AsyncStream.makeStream()
        // Never freed, as a worker's table is not.
        table = .allocate(capacity: 1)
        table.initialize(
            to: lull_host(
                size: UInt32(size), abi_major: 1, abi_minor: 0, reserved: nil, version: staticString("test"),
                now: fakeNow, log: fakeLog, register_task: fakeRegister, submit: fakeSubmit,
                cancel: fakeCancel,
                pending: fakePending, set_expiration_handler: fakeSetExpirationHandler,
                set_task_completed: fakeSetTaskCompleted, progress: fakeProgress,
                app: staticString("com.example.Feed"), settings: staticString(#"{"keep_days":3}"#),
                state_dir: staticString("/var/lib/feed"), setting: fakeSetting, log_task: fakeLogTask,
                submit_explained: fakeSubmitExplained, update_titles: nil, begin_activity: nil,
                end_activity: nil, background_time_remaining: nil, is_low_power_mode: nil,
                set_low_power_handler: nil, report_fault: nil, resources: 0, reserved_bits: 0
            )
        )
        record.withLock { $0.permitted = permitted }
        table.pointee.reserved = Unmanaged.passRetained(self).toOpaque()
    }

    /// Tells the plugin that a task expires, as the control thread does.
    func expire(_ task: lull_task) {
        guard let watch = record.withLock({ $0.watched.removeValue(forKey: task) }) else { return }
        watch.handler(watch.context, task)
    }

    /// Waits for the next completion.
    func nextCompletion() async -> Completion? {
        for await completion in completions { return completion }
        return nil
    }

    func verdict(_ status: Int, _ reason: String = "") {
        record.withLock {
            $0.verdict = lull_status(status)
            $0.reason = reason
        }
    }

    var lines: [Line] { record.withLock(\.lines) }
    var submitted: [Request] { record.withLock(\.submitted) }
    var completed: [Completion] { record.withLock(\.completed) }
}

private func staticString(_ string: String) -> UnsafePointer<CChar> {
    let bytes = string.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: byte) }
    return UnsafePointer(copy)
}
