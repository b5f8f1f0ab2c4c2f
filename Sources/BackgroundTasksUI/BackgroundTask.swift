import BackgroundTasks

/// The kinds of task that a scene may do in the background.
///
/// Apple: SwiftUI, `BackgroundTask`.
public struct BackgroundTask<Request: Sendable, Response: Sendable>: Sendable {
    /// What launches the action.
    enum Launcher: Sendable {
        case task(String)
        /// Transfers in the background; there are none here.
        case transfers
    }

    let launcher: Launcher
    /// The action without what is asked and answered, of which a task's launch has neither.
    let plain: @Sendable (@escaping @Sendable (Request) async -> Response) -> @Sendable () async -> Void
}

extension BackgroundTask where Request == Void, Response == Void {
    @Sendable
    private static func call(
        _ action: @escaping @Sendable (Request) async -> Response
    ) -> @Sendable () async -> Void {
        { await action(()) }
    }

    /// The runs of a refresh task.
    ///
    /// Apple: SwiftUI, `BackgroundTask.appRefresh(_:)`.
    public static func appRefresh(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(launcher: .task(identifier), plain: call)
    }

    /// The runs of a processing task.
    ///
    /// Apple: SwiftUI, `BackgroundTask.processingTask(_:)` (iOS 27).
    public static func processingTask(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(launcher: .task(identifier), plain: call)
    }

    /// Transfers in the background, of which there are none here: the action is never called.
    ///
    /// Apple: SwiftUI, `BackgroundTask.urlSession(_:)`.
    public static func urlSession(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(launcher: .transfers, plain: call)
    }
}

extension Scene {
    /// Does something whenever a task of this kind is launched.
    ///
    /// The run is completed when the action returns. When its time is up, the action's Swift task is cancelled, and the
    /// run counts as failed. Requests are submitted as ever, through `BGTaskScheduler`.
    ///
    /// Apple: SwiftUI, `Scene.backgroundTask(_:action:)`.
    public func backgroundTask<Request, Response>(
        _ task: BackgroundTask<Request, Response>,
        action: @escaping @Sendable (Request) async -> Response
    ) -> some Scene {
        SceneGroup { content in
            content.add(self)
            guard case .task(let identifier) = task.launcher else { return }
            content.actions.append((identifier, task.plain(action)))
        }
    }
}
