import BackgroundTasks

// As Apple's sample does, in Swift 5, with seconds in the place of its quarter of an hour: the next request is submitted
// whenever the app enters the background, and by its handlers.

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    static let delay: TimeInterval = 6

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        for name in ["refresh", "cleaning", "indexing"] {
            let identifier = "com.example.Sample.\(name)"
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
                Self.schedule(name)
                task.setTaskCompleted(success: true)
            }
        }
        // Whenever it gets to it.
        Task { Self.schedule("indexing") }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        Self.schedule("refresh")
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: "com.example.Sample.cleaning")
        Self.schedule("cleaning")
    }

    static func schedule(_ name: String) {
        let identifier = "com.example.Sample.\(name)"
        let request: BGTaskRequest =
            name == "refresh"
            ? BGAppRefreshTaskRequest(identifier: identifier)
            : BGProcessingTaskRequest(identifier: identifier)
        request.earliestBeginDate = Date(timeIntervalSinceNow: delay)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            print("Could not schedule \(name): \(error)")
        }
    }
}
