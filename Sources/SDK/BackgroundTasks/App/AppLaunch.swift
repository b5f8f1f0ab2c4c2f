import CLullEntry
import Foundation

/// Launches an app, with or without a delegate.
///
/// It makes and keeps the delegate, calls its methods for the launch and the background, and posts the notifications.
/// After that, the app has only its runs.
package enum AppLaunch {
    /// Makes an app delegate of a class that is known by its type alone.
    @MainActor
    package static func make<Delegate: UIApplicationDelegate>(_ type: Delegate.Type) -> Delegate {
        guard let made = LullObjectMaker.make(type), let delegate = made as? Delegate else {
            // Nobody else can bring the object to life; `start` does not return to a host that waits for it.
            preconditionFailure(
                "\(type) is not a subclass of NSObject. Write class \(type): UIResponder, UIApplicationDelegate."
            )
        }
        return delegate
    }

    @MainActor
    package static func launch(
        _ delegate: (any UIApplicationDelegate)?, registering register: () -> Void = {},
        entering enter: () -> Void = {}
    ) {
        let app = UIApplication.shared
        app.delegate = delegate ?? app.delegate
        if let delegate = app.delegate { UncalledMethods.tell(of: delegate) }
        _ = app.delegate?.application(app, willFinishLaunchingWithOptions: nil)
        _ = app.delegate?.application(app, didFinishLaunchingWithOptions: nil)
        register()
        NotificationCenter.default.post(name: UIApplication.didFinishLaunchingNotification, object: app)
        app.registerFetch()
        app.registerPushes()
        app.registerTransfers()
        // Last of the launch: a scene may still register handlers when it is connected.
        let scene = SceneLaunch.connect(app)
        app.connectedScenes = scene.map { [$0] } ?? []
        BGTaskScheduler.shared.registry.finishLaunching()
        app.applicationState = .background
        app.delegate?.applicationDidEnterBackground(app)
        if let scene { SceneLaunch.enterBackground(scene) }
        enter()
        NotificationCenter.default.post(name: UIApplication.didEnterBackgroundNotification, object: app)
    }

    /// Ends the launch after the author's `main` has returned.
    static func finish() {
        let registry = BGTaskScheduler.shared.registry
        registry.finishLaunching()
        lull_entry_save_defaults()
        registry.host?.watchPower()
    }
}
