import CLullEntry
import CLullPlugin
import Foundation

/// The plugin's way to the host: register a handler for each task, then submit requests for launches.
///
/// Handlers are registered before the app has finished launching, one for each identifier that `jobs.yaml`
/// permits to it. A request is launched once; to run again, submit again, best in the handler's first line. All
/// methods may be called on any thread. There is one scheduler for an app: ``shared``.
///
/// Apple: BackgroundTasks, `BGTaskScheduler`.
public class BGTaskScheduler: NSObject {
    // Safe: the one value is made once, by the language's own guard, and never replaced. Its two properties are constants of
    // Sendable types, so any thread may use it; the type says nothing of that, for Apple's, which apps subclass, does not.
    nonisolated(unsafe) private static let app = BGTaskScheduler(host: lull_entry_host().map(HostTable.init))

    /// The scheduler of this app.
    public class var shared: BGTaskScheduler { app }

    /// The domain of this API's errors.
    public class var errorDomain: String { "BGTaskSchedulerErrorDomain" }

    /// What a continued run may ask for on this machine beside the processor.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.supportedResources` (iOS 26).
    public class var supportedResources: BGContinuedProcessingTaskRequest.Resources {
        .init(rawValue: Int(app.registry.host?.resources ?? 0))
    }

    let registry: Registry
    /// Keeps requests that are submitted without waiting in their order.
    private let queue = DispatchQueue(label: "lull (BGTaskScheduler)")

    init(host: HostTable?) {
        registry = Registry(host: host)
        super.init()
    }

    /// Sets the handler of one task.
    ///
    /// False, with a line in the log, when `jobs.yaml` does not permit the identifier to this app, or when the
    /// app has finished launching; continued tasks may be registered at any time, and with an identifier that
    /// ends in `.*`. A second handler for an identifier ends the app, as on iOS: here its worker, with both
    /// places in the history.
    ///
    /// A handler written in an actor's code (`didFinishLaunching` is the main actor's) runs on that actor, where
    /// iOS would trap. Any other runs on `queue`, or, when that is nil, on a serial queue of the run's own.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.register(forTaskWithIdentifier:using:launchHandler:)`.
    /// - Parameters:
    ///   - identifier: One that `jobs.yaml` permits, in full.
    ///   - queue: Where the handler is called; `.main` is served.
    ///   - launchHandler: Begins the work of a run, and sees to it that the task is completed.
    ///   - file: Where it is registered, for the history; leave it out.
    ///   - line: As `file`.
    /// - Returns: Whether the handler will be called.
    @discardableResult
    public func register(
        forTaskWithIdentifier identifier: String,
        using queue: DispatchQueue?,
        launchHandler: @escaping @isolated(any) (sending BGTask) -> Void,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> Bool {
        registry.register(
            identifier, LaunchHandler(queue: queue, place: place(file, line), body: launchHandler))
    }

    /// Asks for a launch. Replaces the pending request for the same identifier.
    ///
    /// Blocks until the host has recorded the request, a second at most; then it survives anything. A request for a
    /// permitted task without a handler ends the app, as on iOS: here its worker, with the place in the
    /// history.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.submit(_:)`, which iOS 27 deprecates in favour of
    /// `submitTaskRequest(_:)`; here the two can fail for the same reasons.
    /// - Throws: ``Error``, whose `localizedDescription` says what to do about it.
    public func submit(
        _ taskRequest: BGTaskRequest, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try registry.submit(RequestContent(taskRequest), from: place(file, line))
    }

    /// As ``submit(_:file:line:)``, without waiting.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.submitTaskRequest(_:completionHandler:)` (iOS 27).
    /// - Parameters:
    ///   - taskRequest: What it says now counts; it may be changed afterwards.
    ///   - completionHandler: Called on a queue of the scheduler's own; with nil when the host has recorded it.
    ///   - file: Where it is submitted, for the history; leave it out.
    ///   - line: As `file`.
    public func submitTaskRequest(
        _ taskRequest: BGTaskRequest, file: StaticString = #fileID, line: UInt = #line,
        completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {
        // The request may be changed or submitted again at once: what counts is what it says now.
        let content = RequestContent(taskRequest)
        queue.async { [registry] in
            do {
                try registry.submit(content, from: place(file, line))
                completionHandler(nil)
            } catch {
                completionHandler(error)
            }
        }
    }

    /// As ``submit(_:file:line:)``, and returns when the host has recorded the request.
    ///
    /// Apple: BackgroundTasks, the async form of `submitTaskRequest(_:completionHandler:)` (iOS 27).
    nonisolated(nonsending) public func submitTaskRequest(
        _ taskRequest: BGTaskRequest, file: StaticString = #fileID, line: UInt = #line
    ) async throws {
        let content = RequestContent(taskRequest)
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [registry] in
                continuation.resume(
                    with: Result { try registry.submit(content, from: place(file, line)) })
            }
        }
    }

    /// Withdraws the pending request for this identifier. A run that has begun goes on.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.cancel(taskRequestWithIdentifier:)`.
    public func cancel(taskRequestWithIdentifier identifier: String) {
        guard !identifier.holdsNul else { return }
        registry.host?.cancel(identifier)
    }

    /// Withdraws all pending requests of this app.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.cancelAllTaskRequests()`.
    public func cancelAllTaskRequests() {
        registry.host?.cancel(nil)
    }

    /// Hands over copies of the requests that are not launched yet, on a queue of the scheduler's own.
    ///
    /// None where the host can't be asked.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.getPendingTaskRequests(completionHandler:)`.
    public func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void) {
        queue.async { [registry] in
            completionHandler(registry.pendingRequests().map { $0.makeRequest() })
        }
    }

    /// Copies of the requests that are not launched yet.
    ///
    /// Apple: BackgroundTasks, the async form of `getPendingTaskRequests(completionHandler:)`.
    nonisolated(nonsending) public func pendingTaskRequests() async -> [BGTaskRequest] {
        let contents = await withCheckedContinuation { continuation in
            queue.async { [registry] in continuation.resume(returning: registry.pendingRequests()) }
        }
        return contents.map { $0.makeRequest() }
    }
}
