import BackgroundTasks
import CLullPlugin
import Synchronization

/// A host in the test's own process: a C table like that of a worker, and a record of the calls.
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

    struct Printed: Sendable, Equatable {
        var task: lull_task
        var stream: Int
        var bytes: [UInt8]
    }

    struct Request: Sendable, Equatable {
        var kind: lull_kind
        var identifier: String
        var earliestBegin: Int64 = 0
        var requirements: lull_requirements = 0
        var title: String?
        var subtitle: String?
        var strategy: lull_strategy = 0
        var resources: lull_resources = 0
        var protection: String?
    }

    /// A mistake that the plugin reported.
    struct Fault: Sendable, Equatable {
        var fault: Int
        var task: lull_task = 0
        var subject: String
        var place: String?
        var earlierPlace: String?
    }

    /// An update of a continued run.
    enum Shown: Sendable, Equatable {
        case progress(lull_task, Int64, Int64)
        case titles(lull_task, String, String)
    }

    struct Record: Sendable {
        var permitted: Set<String> = []
        /// The identifiers that may be registered after the launch.
        var continued: Set<String> = []
        /// `start` has returned.
        var hasStarted = false
        var faults: [Fault] = []
        var shown: [Shown] = []
        var activities: [UInt64: Watch] = [:]
        var activityNames: [String] = []
        var endedActivities: [UInt64] = []
        var hasNoTime = false
        var remaining: Int64 = .max
        var isLowPowerMode = false
        var powerHandler: (@Sendable @convention(c) (UnsafeMutableRawPointer?, Bool) -> Void)?
        var registered: [String] = []
        var verdict: lull_status = lull_status(LULL_OK)
        var reason = ""
        var submitted: [Request] = []
        var cancelled: [String?] = []
        var completed: [Completion] = []
        var lines: [Line] = []
        var printed: [Printed] = []
        var watched: [lull_task: Watch] = [:]
    }

    /// The handler for a task's expiration.
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

    /// The size of the first draft of the table, before anything was appended: up to and including `progress`.
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
                app: staticString("com.example.Feed"), settings: staticString(Self.settings(permitted)),
                state_dir: staticString("/var/lib/feed"), setting: fakeSetting, log_task: fakeLogTask,
                submit_explained: fakeSubmitExplained, update_titles: fakeUpdateTitles,
                begin_activity: fakeBeginActivity, end_activity: fakeEndActivity,
                background_time_remaining: fakeTimeRemaining, is_low_power_mode: fakeIsLowPowerMode,
                set_low_power_handler: fakeSetLowPowerHandler, report_fault: fakeReportFault,
                resources: lull_resources(LULL_RESOURCE_GPU), reserved_bits: 0,
                print_task: fakePrintTask, report_push: fakeReportPush, may_notify: nil, notify: nil,
                notifications: nil, remove_notifications: nil, set_badge: nil, transfer: nil, transfers: nil,
                act_on_transfer: nil, answer_challenge: nil, set_transfer_handler: nil, report_exit: nil)
        )
        record.withLock { $0.permitted = permitted }
        table.pointee.reserved = Unmanaged.passRetained(self).toOpaque()
    }

    /// Settings as a worker gives them: with the permitted tasks under `lull`.
    private static func settings(_ permitted: Set<String>) -> String {
        let names = permitted.sorted().map { "\"\($0)\"" }.joined(separator: ",")
        return #"{"keep_days":3,"lull":{"permitted":["# + names + "]}}"
    }

    /// Tells the plugin that the time of an activity is up, as the control thread does.
    func expireActivity(_ number: UInt64) {
        guard let watch = record.withLock({ $0.activities[number] }) else { return }
        watch.handler(watch.context, number)
    }

    /// Tells the plugin that the machine begins or stops saving power.
    func power(isLow: Bool) {
        let handler = record.withLock { record in
            record.isLowPowerMode = isLow
            return record.powerHandler
        }
        handler?(nil, isLow)
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
    var faults: [Fault] { record.withLock(\.faults) }
    var shown: [Shown] { record.withLock(\.shown) }
    var completed: [Completion] { record.withLock(\.completed) }
}

private func staticString(_ string: String) -> UnsafePointer<CChar> {
    let bytes = string.utf8CString
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
    for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: byte) }
    return UnsafePointer(copy)
}

@c private func fakeReportPush(
    _ host: UnsafePointer<lull_host>, _ task: UInt64, _ text: UnsafePointer<CChar>
) {}
