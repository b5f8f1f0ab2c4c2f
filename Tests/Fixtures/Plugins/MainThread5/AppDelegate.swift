import BackgroundTasks

// As it stands in an app for iOS, but for its import. Three fixtures are built of this one file: in Swift 5, in Swift 6, and in Swift
// 6 with all of it on the main actor.

// In another package `@retroactive` stands before it.
extension BGTask: @unchecked Sendable {}

class BaseDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
}

@main
class AppDelegate: BaseDelegate {
    private let store: Store

    override init() {
        store = Store()
        super.init()
    }

    override func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let scheduler = BGTaskScheduler.shared
        scheduler.register(forTaskWithIdentifier: "com.example.Store.sync", using: .main) { task in
            precondition(Thread.isMainThread, "a handler on the main queue")
            self.sync(task)
        }
        scheduler.register(forTaskWithIdentifier: "com.example.Store.count", using: .main) { task in
            self.count(task)
        }
        scheduler.register(forTaskWithIdentifier: "com.example.Store.wait", using: .main) { task in
            // Waits for itself, which is a mistake on each system.
            DispatchQueue.main.sync { task.setTaskCompleted(success: true) }
        }
        return true
    }

    // Its base class does not have it: on Linux nobody calls it.
    func applicationDidEnterBackground(_ application: UIApplication) {
        print("entered the background")
    }

    private func sync(_ task: BGTask) {
        _ = Timer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { _ in
            precondition(Thread.isMainThread, "a timer of the main run loop")
            DispatchQueue.global().async {
                onMain { print("asked from elsewhere") }
                DispatchQueue.main.async {
                    onMain { print("asked from the main thread") }
                    task.setTaskCompleted(success: true)
                }
            }
        }
    }

    private func count(_ task: BGTask) {
        let info = Bundle.main.infoDictionary ?? [:]
        print("bundle", Bundle.main.bundleIdentifier ?? "none", info["CFBundleShortVersionString"] ?? "none")
        print("bundle folder", Bundle.main.bundlePath)
        print("home", NSHomeDirectory())
        print("runs", store.countRun())
        task.setTaskCompleted(success: true)
    }
}

/// The usual way round a deadlock.
nonisolated func onMain(_ work: @Sendable () -> Void) {
    if Thread.isMainThread { work() } else { DispatchQueue.main.sync(execute: work) }
}

class Store {
    func countRun() -> Int {
        let count = UserDefaults.standard.integer(forKey: "runs") + 1
        UserDefaults.standard.set(count, forKey: "runs")
        let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        do {
            try Data("\(count)".utf8).write(to: documents.appendingPathComponent("runs.txt"))
        } catch {
            print("documents can't be written: \(error)")
        }
        return count
    }
}
