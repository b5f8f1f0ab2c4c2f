import Foundation

/// An app whose tasks run in the background. Mark it `@main`, and its library is a plugin.
///
/// ```swift
/// @main struct FeedApp: BackgroundTasksApp {
///     func didFinishLaunching() {
///         let scheduler = BGTaskScheduler.shared
///         scheduler.register(forTaskWithIdentifier: "com.example.Feed.refresh", using: .main) { task in
///             task.setTaskCompleted(success: true)
///         }
///     }
/// }
/// ```
///
/// It is made once in a worker and lives as long as the process. The process ends without notice: save what must be
/// kept when a task completes or expires.
@MainActor
public protocol BackgroundTasksApp {
    /// Called once, before anything else. Tasks may be registered here as well.
    init()

    /// Register the handler of each task here; afterwards it is too late.
    func didFinishLaunching()

    /// Called right after `didFinishLaunching()`. Submit the first requests here.
    func didEnterBackground()
}

extension BackgroundTasksApp {
    public func didEnterBackground() {}

    /// Launches the app and returns; the worker serves the main queue from then on.
    public static func main() {
        let app = Self()
        RunningApp.app = app
        app.didFinishLaunching()
        BGTaskScheduler.shared.registry.finishLaunching()
        app.didEnterBackground()
    }
}

/// Keeps the app alive: a handler may well hold it only weakly.
@MainActor
private enum RunningApp {
    static var app: (any BackgroundTasksApp)?
}
