import CLullEntry
import CLullPlugin
import Foundation
import Synchronization

/// The plugin's way to the host: register a handler for each task, then submit requests for launches.
///
/// Handlers are registered before `didFinishLaunching()` returns, one for each identifier that `jobs.yaml`
/// permits to the app. A request is launched once; to run again, submit again, best in the handler's first
/// line. All methods may be called on any thread; `submit(_:)` blocks until the host has recorded the
/// request.
public final class BGTaskScheduler: NSObject, Sendable {
    /// The scheduler of this app.
    public static let shared = BGTaskScheduler(host: lull_entry_host().map(HostTable.init))

    /// The domain of this API's errors.
    public class var errorDomain: String { "BGTaskSchedulerErrorDomain" }

    /// Nil in a process that is no worker, such as the author's own tests.
    let host: HostTable?
    private let state = Mutex(State())
    /// Keeps requests that are submitted without waiting in their order.
    private let queue = DispatchQueue(label: "lull (BGTaskScheduler)")

    private struct State: Sendable {
        var isLaunching = true
        var handlers: [String: LaunchHandler] = [:]
        /// The runs that are not completed; this is what keeps their objects alive.
        var running: [lull_task: BGTask] = [:]
    }

    init(host: HostTable?) {
        self.host = host
        super.init()
    }

    /// Sets the handler of one task. False, with a line in the log, when `jobs.yaml` does not permit the
    /// identifier to this app, when it has a handler already, or when the app has finished launching.
    ///
    /// A handler written in an actor's code (`didFinishLaunching` is the main actor's) runs on that actor.
    /// Any other runs on `queue`, or, when that is nil, on a serial queue of the run's own.
    @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String,
        using queue: DispatchQueue?,
        launchHandler: @escaping @isolated(any) (BGTask) -> Void
    ) -> Bool {
        guard let host else {
            log("No handler for \(identifier) was registered: \(Self.noWorker)", level: .error)
            return false
        }
        let (isLaunching, isTaken) = state.withLock { ($0.isLaunching, $0.handlers[identifier] != nil) }
        guard isLaunching else {
            log(
                "No handler for \(identifier) was registered: the app has finished launching. "
                    + "Register it in didFinishLaunching().",
                level: .error
            )
            return false
        }
        guard !isTaken else {
            log(
                "No second handler for \(identifier) was registered: the first one stays. "
                    + "Register each identifier once.",
                level: .error
            )
            return false
        }
        guard !identifier.holdsNul, host.register(identifier) else {
            log(
                "No handler for \(identifier) was registered: the host does not permit the identifier "
                    + "to this app. List it under the app's tasks in jobs.yaml.",
                level: .error
            )
            return false
        }
        state.withLock { $0.handlers[identifier] = LaunchHandler(queue: queue, body: launchHandler) }
        return true
    }

    /// Asks for a launch. Replaces the pending request for the same identifier.
    ///
    /// Throws `BGTaskScheduler.Error`, whose `localizedDescription` says what to do about it. Blocks until
    /// the host has recorded the request.
    public func submit(_ taskRequest: BGTaskRequest) throws {
        try submit(RequestContent(taskRequest))
    }

    /// Asks for a launch without waiting; the completion handler is called on a queue of the scheduler's own.
    public func submitTaskRequest(
        _ taskRequest: BGTaskRequest,
        completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {
        // The request may be changed or submitted again at once: what counts is what it says now.
        let content = RequestContent(taskRequest)
        queue.async {
            do {
                try self.submit(content)
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    /// Asks for a launch, and returns when the host has recorded the request.
    nonisolated(nonsending) public func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws {
        let content = RequestContent(taskRequest)
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.submit(content) }) }
        }
    }

    /// Withdraws the pending request for this identifier. A run that has begun goes on.
    public func cancel(taskRequestWithIdentifier identifier: String) {
        guard !identifier.holdsNul else { return }
        host?.cancel(identifier)
    }

    /// Withdraws all pending requests of this app.
    public func cancelAllTaskRequests() {
        host?.cancel(nil)
    }

    /// Hands over copies of the requests that are not launched yet, on a queue of the scheduler's own.
    public func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void) {
        queue.async { completionHandler(self.pendingContents().map { $0.makeRequest() }) }
    }

    /// Copies of the requests that are not launched yet.
    nonisolated(nonsending) public func pendingTaskRequests() async -> [BGTaskRequest] {
        let contents = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.pendingContents()) }
        }
        return contents.map { $0.makeRequest() }
    }

    private func pendingContents() -> [RequestContent] {
        host?.pendingRequests() ?? []
    }

    private func submit(_ content: RequestContent) throws {
        guard let host else {
            throw Error(.unavailable, identifier: content.identifier, reason: Self.noWorker)
        }
        guard !content.identifier.holdsNul else { throw Error(.notPermitted, identifier: content.identifier) }
        let (status, reason) = host.submit(content)
        guard status != lull_status(LULL_OK) else { return }
        // A status from a newer host counts as unavailable: so the ABI says.
        let code = Error.Code(rawValue: Int(status)) ?? .unavailable
        throw Error(code, identifier: content.identifier, reason: reason)
    }
}

// What the host and the tasks ask of the scheduler.
extension BGTaskScheduler {
    private static let noWorker = "this process is no Lull worker. Run the plugin with lull run."

    /// No handler may be registered from here on.
    func finishLaunching() {
        state.withLock { $0.isLaunching = false }
    }

    func launch(_ launch: Launch) {
        let task =
            launch.kind == lull_kind(LULL_KIND_REFRESH)
            ? BGAppRefreshTask(launch, scheduler: self) : BGProcessingTask(launch, scheduler: self)
        let handler = state.withLock { state in
            state.running[task.number] = task
            return state.handlers[task.identifier]
        }
        guard let handler else {
            task.log(
                "No handler is registered for \(task.identifier); the run is completed as failed. "
                    + "Register one in didFinishLaunching().",
                level: .error
            )
            return task.setTaskCompleted(success: false)
        }
        host?.watchExpiration(of: task.number, for: self)
        handler.call(task)
    }

    func expire(_ number: lull_task) {
        state.withLock { $0.running[number] }?.expire()
    }

    /// Whether the run has begun and is not completed.
    func isRunning(_ number: lull_task) -> Bool {
        state.withLock { $0.running[number] != nil }
    }

    /// Told each time, so that the host can record a second completion against the plugin.
    func complete(_ task: BGTask, success: Bool) {
        state.withLock { _ = $0.running.removeValue(forKey: task.number) }
        host?.complete(task.number, success: success)
    }

    func log(_ message: String, level: LullLogLevel, task: BGTask? = nil) {
        guard let host else {
            return FileHandle.standardError.write(Data("\(level): \(message)\n".utf8))
        }
        guard let task else { return host.log(message, level: level) }
        host.log(message, level: level, task: task.number, identifier: task.identifier)
    }
}
