import Foundation
import Synchronization

/// The background fetch that iOS 13 deprecated. It still works, as the app's task `fetch`.
///
/// An app that asks for it needs `fetch: { kind: refresh }` among its tasks in `jobs.yaml`. Each run of that task
/// submits the next request, not before the interval is over, and calls the delegate's
/// `application(_:performFetchWithCompletionHandler:)` on the main actor. It uses the app's one refresh request.
extension UIApplication {
    /// The shortest interval that there may be between two fetches.
    ///
    /// Apple: UIKit, `UIApplication.backgroundFetchIntervalMinimum`.
    nonisolated public class var backgroundFetchIntervalMinimum: TimeInterval { 0 }

    /// An endless interval: no fetches. It is the default.
    ///
    /// Apple: UIKit, `UIApplication.backgroundFetchIntervalNever`.
    nonisolated public class var backgroundFetchIntervalNever: TimeInterval { .greatestFiniteMagnitude }

    /// Asks for fetches, at least so many seconds apart.
    ///
    /// A request that is pending keeps its date, so that an app may call this at each launch.
    ///
    /// Apple: UIKit, `UIApplication.setMinimumBackgroundFetchInterval(_:)`, deprecated since iOS 13 in favour of
    /// `BGAppRefreshTaskRequest`.
    /// - Parameter minimumBackgroundFetchInterval: Seconds; `backgroundFetchIntervalNever` for none.
    public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {
        BackgroundFetch.app.setInterval(minimumBackgroundFetchInterval)
    }

    /// Called before the launch ends, so that the task has its handler.
    func registerFetch() {
        guard delegate != nil else { return }
        BackgroundFetch.app.register { [weak self] completion in
            guard let self, let delegate = self.delegate else { return completion(.noData) }
            delegate.application(self, performFetchWithCompletionHandler: completion)
        }
    }
}

/// The task `fetch` of the app, its interval and its requests.
final class BackgroundFetch: Sendable {
    static let app = BackgroundFetch(registry: BGTaskScheduler.shared.registry)

    private let registry: Registry
    private let interval = Mutex(UIApplication.backgroundFetchIntervalNever)
    /// Whether the app has set an interval; if so, registering the handler submits the first request.
    private let isWanted = Mutex(false)

    init(registry: Registry) {
        self.registry = registry
    }

    private var identifier: String { (registry.host?.app ?? "") + ".fetch" }

    func setInterval(_ seconds: TimeInterval) {
        interval.withLock { $0 = seconds }
        guard seconds < UIApplication.backgroundFetchIntervalNever else {
            isWanted.withLock { $0 = false }
            registry.host?.cancel(identifier)
            return
        }
        isWanted.withLock { $0 = true }
        if registry.hasHandler(identifier) { submitFirst() }
    }

    func register(
        _ perform: @escaping @MainActor @Sendable (@escaping (UIBackgroundFetchResult) -> Void) -> Void
    ) {
        guard !registry.hasHandler(identifier) else { return }
        guard registry.host?.permittedTasks.contains(identifier) == true else {
            if isWanted.withLock({ $0 }) {
                registry.log(
                    "The app asks for background fetches, but jobs.yaml has no task for them. "
                        + "Add fetch: { kind: refresh } to its tasks.",
                    level: .warning)
            }
            return
        }
        let handler = LaunchHandler(queue: .main, place: "setMinimumBackgroundFetchInterval") {
            @MainActor [self] task in
            submit()
            // The delegate may forget to call back, and keeps the task alive until it does.
            task.expirationHandler = { task.setTaskCompleted(success: false) }
            perform { result in task.setTaskCompleted(success: result != .failed) }
        }
        guard registry.register(identifier, handler) else { return }
        if isWanted.withLock({ $0 }) { submitFirst() }
    }

    /// A request that is pending already keeps its date: apps set the interval at each launch.
    private func submitFirst() {
        let identifier = identifier
        guard !registry.pendingRequests().contains(where: { $0.identifier == identifier }) else { return }
        submit()
    }

    private func submit() {
        let seconds = interval.withLock { $0 }
        guard seconds < UIApplication.backgroundFetchIntervalNever else { return }
        let request = BGAppRefreshTaskRequest(identifier: identifier)
        if seconds > 0 { request.earliestBeginDate = Date(timeIntervalSinceNow: seconds) }
        do {
            try registry.submit(RequestContent(request), from: nil)
        } catch {
            registry.log("The next background fetch was not accepted: \(error)", level: .warning)
        }
    }
}
