import Foundation

/// Transfers that have ended without the app: each run of the app's task `transfers`, which `transfers` in `jobs.yaml` defines,
/// serves some of its background sessions.
extension UIApplication {
    /// Called before the launch ends, so that the task has its handler.
    func registerTransfers() {
        guard delegate != nil else { return }
        TransferLaunch.register("handleEventsForBackgroundURLSession") { @MainActor [weak self] task in
            guard let self, let delegate = self.delegate else {
                return task.setTaskCompleted(success: false)
            }
            self.hand(TransferLaunch.sessions(in: task.launchEvents), of: task, to: delegate)
        }
    }

    func hand(
        _ sessions: [String], of task: BGTask, to delegate: any UIApplicationDelegate,
        events: SessionEvents = .app
    ) {
        guard !sessions.isEmpty else { return task.setTaskCompleted(success: true) }
        // Safe: any thread may complete a task, and it is kept for nothing else.
        nonisolated(unsafe) let task = task
        let run = SessionRun(sessions, events: events) { task.setTaskCompleted(success: $0) }
        // The delegate may forget to call back, and keeps the task alive until it does.
        task.expirationHandler = { task.setTaskCompleted(success: false) }
        for session in sessions {
            TransferLaunch.handed = run
            delegate.application(self, handleEventsForBackgroundURLSession: session) {
                run.settle(session)
            }
            TransferLaunch.handed = nil
            events.launched(session)
        }
    }

    /// For an app without that method: a session that the app has made anew still receives its events.
    static func handOver(_ identifier: String, or completionHandler: () -> Void) {
        guard let run = TransferLaunch.handed else { return completionHandler() }
        guard run.events.exists(identifier) else {
            BGTaskScheduler.shared.registry.log(
                "Transfers of the session '\(identifier)' have ended, but the app has no such session. Make it "
                    + "in application(_:didFinishLaunchingWithOptions:), or in "
                    + "application(_:handleEventsForBackgroundURLSession:completionHandler:).",
                level: .error)
            return run.settle(identifier, isRefused: true)
        }
        run.events.whenSettled(identifier) { run.settle(identifier) }
    }
}

/// The app's task for its transfers.
@MainActor
package enum TransferLaunch {
    /// The run whose session is being handed to the delegate.
    static var handed: SessionRun?

    /// Registers a handler, if `jobs.yaml` lets the app transfer and it has none yet.
    package static func register(_ place: String, _ body: @escaping @MainActor (sending BGTask) -> Void) {
        register(place, in: BGTaskScheduler.shared.registry, body)
    }

    static func register(
        _ place: String, in registry: Registry, _ body: @escaping @MainActor (sending BGTask) -> Void
    ) {
        guard let host = registry.host else { return }
        let identifier = host.app + ".transfers"
        guard host.permittedTasks.contains(identifier), !registry.hasHandler(identifier) else { return }
        _ = registry.register(identifier, LaunchHandler(queue: .main, place: place, body: body))
    }

    /// The sessions whose transfers a run was launched for.
    nonisolated package static func sessions(in origin: String?) -> [String] {
        struct Origin: Decodable { var sessions: [String]? }
        guard let origin, let value = try? JSONDecoder().decode(Origin.self, from: Data(origin.utf8)) else {
            return []
        }
        return value.sessions ?? []
    }
}
