import BackgroundTasks

/// The kinds of task that a scene may do in the background.
///
/// Apple: SwiftUI, `BackgroundTask`.
public struct BackgroundTask<Request: Sendable, Response: Sendable>: Sendable {
    /// The launches that call the action.
    enum Launcher: Sendable {
        case task(String)
        /// The events of the background sessions that match.
        case sessions(@Sendable (String) -> Bool)
    }

    let launcher: Launcher
    /// The action without its result, which a launch ignores. It is given the session's identifier; the action of a task
    /// ignores it.
    let plain: @Sendable (@escaping @Sendable (Request) async -> Response) -> @Sendable (String) async -> Void
}

extension BackgroundTask where Request == Void, Response == Void {
    @Sendable
    private static func call(
        _ action: @escaping @Sendable (Request) async -> Response
    ) -> @Sendable (String) async -> Void {
        { _ in await action(()) }
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

    /// The transfers of a background session have ended without the app, or one of them has to be answered. The session is
    /// made anew in the action, which returns once its delegate was told all of its events.
    ///
    /// Apple: SwiftUI, `BackgroundTask.urlSession(_:)`.
    public static func urlSession(_ identifier: String) -> BackgroundTask<Void, Void> {
        BackgroundTask(launcher: .sessions { $0 == identifier }, plain: call)
    }
}

extension BackgroundTask where Request == String, Response == Void {
    @Sendable
    private static func call(
        _ action: @escaping @Sendable (Request) async -> Response
    ) -> @Sendable (String) async -> Void {
        { await action($0) }
    }

    /// As ``urlSession(_:)``, for any session; the action is given its identifier.
    ///
    /// Apple: SwiftUI, `BackgroundTask.urlSession`.
    public static var urlSession: BackgroundTask<String, Void> { urlSession(matching: { _ in true }) }

    /// As ``urlSession(_:)``, for the sessions whose identifier matches; the action is given the identifier.
    ///
    /// Apple: SwiftUI, `BackgroundTask.urlSession(matching:)`.
    public static func urlSession(
        matching matches: @escaping @Sendable (String) -> Bool
    ) -> BackgroundTask<String, Void> {
        BackgroundTask(launcher: .sessions(matches), plain: call)
    }
}

extension Scene {
    /// Runs an action whenever a task of this kind is launched.
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
            let plain = task.plain(action)
            switch task.launcher {
            case .task(let identifier): content.actions.append((identifier, { await plain(identifier) }))
            case .sessions(let matches): content.sessions.append((matches, plain))
            }
        }
    }
}
