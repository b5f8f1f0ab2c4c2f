import CLullEntry
import CLullPlugin
import Foundation

/// The plugin's way to the host: register a handler for each task, then submit requests for launches.
///
/// Handlers are registered before the app has finished launching, one for each identifier that `jobs.yaml`
/// permits to it. A request is launched once; to run again, submit again, best in the handler's first line. All
/// methods may be called on any thread. There is one scheduler for an app: ``shared``. A subclass is for authors' tests,
/// as a stand-in for it.
///
/// The methods here are Apple's to the letter: a subclass overrides them, and an app's own protocol may ask for them.
/// Calls resolve to the overloads in `BGTaskScheduler+Places.swift`, which record the caller's place.
///
/// Apple: BackgroundTasks, `BGTaskScheduler`.
open class BGTaskScheduler: NSObject {
    // Safe: the one value is made once, by the language's own guard, and never replaced. Its two properties are constants of
    // Sendable types, so any thread may use it; the type says nothing of that, for Apple's, which apps subclass, does not.
    nonisolated(unsafe) private static let app = BGTaskScheduler(host: lull_entry_host().map(HostTable.init))

    /// The scheduler of this app.
    open class var shared: BGTaskScheduler { app }

    /// The domain of this API's errors.
    public class var errorDomain: String { "BGTaskSchedulerErrorDomain" }

    /// The resources of this machine, besides the processor, that a continued run may ask for.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.supportedResources` (iOS 26).
    open class var supportedResources: BGContinuedProcessingTaskRequest.Resources {
        .init(rawValue: Int(app.registry.host?.resources ?? 0))
    }

    let registry: Registry
    /// Keeps requests that are submitted without waiting in their order.
    private let queue = DispatchQueue(label: "lull (BGTaskScheduler)")

    init(host: HostTable?) {
        registry = Registry(host: host)
        super.init()
    }

    /// For subclasses in tests: methods that they do not override act as those of ``shared``.
    public override init() {
        registry = Self.app.registry
        super.init()
    }

    /// Whether this is a subclass, whose methods are to be called.
    var isStandIn: Bool { type(of: self) != BGTaskScheduler.self }

    /// Runs work on the scheduler's own serial queue.
    func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// As ``register(forTaskWithIdentifier:using:launchHandler:file:line:)``, without its place in the history.
    @_disfavoredOverload @discardableResult
    open func register(
        forTaskWithIdentifier identifier: String,
        using queue: DispatchQueue?,
        launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
        registry.register(identifier, LaunchHandler(queue: queue, place: nil, body: launchHandler))
    }

    /// As ``submit(_:file:line:)``, without its place in the history.
    @_disfavoredOverload
    open func submit(_ taskRequest: BGTaskRequest) throws {
        try registry.submit(RequestContent(taskRequest), from: nil)
    }

    /// As ``submitTaskRequest(_:file:line:completionHandler:)``, without its place in the history.
    @_disfavoredOverload
    open func submitTaskRequest(
        _ taskRequest: BGTaskRequest, completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
    ) {
        submit(RequestContent(taskRequest), from: nil, completionHandler)
    }

    /// As ``submitTaskRequest(_:file:line:)``, without its place in the history.
    @_disfavoredOverload
    nonisolated(nonsending) open func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws {
        try await submit(RequestContent(taskRequest), from: nil)
    }

    /// Withdraws the pending request for this identifier. A run that has begun goes on.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.cancel(taskRequestWithIdentifier:)`.
    open func cancel(taskRequestWithIdentifier identifier: String) {
        guard !identifier.holdsNul else { return }
        registry.host?.cancel(identifier)
    }

    /// Withdraws all pending requests of this app.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.cancelAllTaskRequests()`.
    open func cancelAllTaskRequests() {
        registry.host?.cancel(nil)
    }

    /// Hands over copies of the requests that are not launched yet, on a queue of the scheduler's own.
    ///
    /// The list is empty if the host can't be asked.
    ///
    /// Apple: BackgroundTasks, `BGTaskScheduler.getPendingTaskRequests(completionHandler:)`.
    open func getPendingTaskRequests(completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void) {
        enqueue { [registry] in
            completionHandler(registry.pendingRequests().map { $0.makeRequest() })
        }
    }

    /// Copies of the requests that are not launched yet.
    ///
    /// Apple: BackgroundTasks, the async form of `getPendingTaskRequests(completionHandler:)`.
    nonisolated(nonsending) open func pendingTaskRequests() async -> [BGTaskRequest] {
        let contents = await withCheckedContinuation { continuation in
            enqueue { [registry] in continuation.resume(returning: registry.pendingRequests()) }
        }
        return contents.map { $0.makeRequest() }
    }
}
