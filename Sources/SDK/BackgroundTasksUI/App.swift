@_exported import BackgroundTasks

/// An app in SwiftUI's form. Mark it `@main`, and its library is a plugin.
///
/// It is made once in a worker. Its `init()` may register handlers. Of the scenes in its body only the work in the
/// background counts: there is no user interface.
///
/// ```swift
/// @main struct FeedApp: App {
///     var body: some Scene {
///         WindowGroup {}
///             .backgroundTask(.appRefresh("com.example.Feed.refresh")) { await refresh() }
///     }
/// }
/// ```
///
/// Apple: SwiftUI, `App`.
@MainActor
public protocol App {
    /// The type of the body.
    associatedtype Body: Scene

    /// The app's scenes.
    @SceneBuilder var body: Body { get }

    /// Called once, before the body is asked for. Handlers may be registered here.
    init()
}

extension App {
    /// Launches the app and returns; the worker serves the main queue from then on.
    public static func main() {
        let app = Self()
        RunningApp.app = app
        let launching = SceneContent(of: app.body)
        AppLaunch.launch(nil) {
            launching.register()
        } entering: {
            EnvironmentValues.enterBackground()
            // As in SwiftUI, the body is evaluated again, and the actions of values that have changed are called.
            SceneContent(of: app.body).tellChanges(since: launching)
        }
    }
}

/// Keeps the app alive: a handler may well hold what it owns only weakly.
@MainActor
private enum RunningApp {
    static var app: (any App)?
}
