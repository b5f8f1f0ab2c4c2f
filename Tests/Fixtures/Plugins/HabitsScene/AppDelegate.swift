import BackgroundTasks

// How apps for iOS with scenes keep their tasks going, in Swift 5, but for `import UIKit`.

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    private var timer: Timer?
    private var observer: NSObjectProtocol?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        for name in ["scene", "refresh", "observed", "polled"] {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: Wait.id(name), using: nil) { task in
                if name != "polled" { Wait.schedule(name) }
                DispatchQueue.main.async { task.setTaskCompleted(success: true) }
            }
        }
        // Submits on another thread, and keeps the app awake for that.
        observer = NotificationCenter.default.addObserver(
            forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil
        ) { _ in Wait.scheduleElsewhere("observed") }
        return true
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: nil, sessionRole: connectingSceneSession.role)
        configuration.delegateClass = SceneDelegate.self
        return configuration
    }

    /// Polls, and submits a request whenever none is pending.
    func poll() {
        timer = Timer.scheduledTimer(withTimeInterval: 0.2, repeats: true) { _ in
            BGTaskScheduler.shared.getPendingTaskRequests { requests in
                guard !requests.contains(where: { $0.identifier == Wait.id("polled") }) else { return }
                Wait.schedule("polled")
            }
        }
    }
}

enum Wait {
    private struct Settings: Decodable { var wait: Double }

    static let seconds = (try? LullApp.settings(as: Settings.self))?.wait ?? 15 * 60

    static func id(_ name: String) -> String { "com.example.Scene." + name }

    static func schedule(_ name: String) {
        let request =
            name == "refresh"
            ? BGAppRefreshTaskRequest(identifier: id(name)) : BGProcessingTaskRequest(identifier: id(name))
        request.earliestBeginDate = Date(timeIntervalSinceNow: seconds)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            LullApp.log("\(name): \(error.localizedDescription)", level: .error)
        }
    }

    static func scheduleElsewhere(_ name: String) {
        let application = UIApplication.shared
        let work = application.beginBackgroundTask(withName: "schedule")
        DispatchQueue.global().async {
            schedule(name)
            application.endBackgroundTask(work)
        }
    }
}

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?

    // Begins anew at each start: all that was pending is gone.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {
        BGTaskScheduler.shared.cancelAllTaskRequests()
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        guard let delegate = UIApplication.shared.delegate as? AppDelegate else { return }
        Wait.schedule("scene")
        Wait.schedule("refresh")
        delegate.poll()
    }
}
