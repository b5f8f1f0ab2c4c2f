import BackgroundTasks

// As it stands in an app for iOS, in Swift 5, but for `import UIKit`; the subclasses of Operation say that they are
// Sendable, which the compiler of today asks for on each system.

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?

    private let store = ColourStore()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.Colours.refresh", using: nil) {
            task in
            self.handleAppRefresh(task: task as! BGAppRefreshTask)
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.Colours.db_cleaning", using: nil)
        {
            task in
            self.handleDatabaseCleaning(task: task as! BGProcessingTask)
        }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        scheduleAppRefresh()
        scheduleDatabaseCleaningIfNeeded()
    }

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        return UISceneConfiguration(name: "Default Configuration", sessionRole: connectingSceneSession.role)
    }

    // MARK: - Scheduling

    func scheduleAppRefresh() {
        let request = BGAppRefreshTaskRequest(identifier: "com.example.Colours.refresh")
        request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            print("Could not schedule app refresh: \(error)")
        }
    }

    func scheduleDatabaseCleaningIfNeeded() {
        let request = BGProcessingTaskRequest(identifier: "com.example.Colours.db_cleaning")
        request.requiresNetworkConnectivity = false
        request.requiresExternalPower = true
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            print("Could not schedule database cleaning: \(error)")
        }
    }

    // MARK: - Handling

    func handleAppRefresh(task: BGAppRefreshTask) {
        scheduleAppRefresh()

        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1

        let operations = [FetchOperation(store: store), KeepOperation(store: store)]
        let lastOperation = operations.last!

        task.expirationHandler = {
            queue.cancelAllOperations()
        }
        lastOperation.completionBlock = {
            task.setTaskCompleted(success: !lastOperation.isCancelled)
        }
        queue.addOperations(operations, waitUntilFinished: false)
    }

    func handleDatabaseCleaning(task: BGProcessingTask) {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1

        let cleaning = EndlessOperation(store: store)
        task.expirationHandler = {
            queue.cancelAllOperations()
        }
        cleaning.completionBlock = {
            print("database cleaning \(cleaning.isCancelled ? "cancelled" : "done")")
            task.setTaskCompleted(success: !cleaning.isCancelled)
        }
        queue.addOperation(cleaning)
    }
}

final class ColourStore {
    var colours: [String] = []
}

class StoreOperation: Operation, @unchecked Sendable {
    let store: ColourStore

    init(store: ColourStore) {
        self.store = store
    }
}

final class FetchOperation: StoreOperation, @unchecked Sendable {
    override func main() {
        store.colours.append("red")
    }
}

final class KeepOperation: StoreOperation, @unchecked Sendable {
    override func main() {
        print("kept \(store.colours.count) colours")
    }
}

/// Works until it is cancelled, so that its expiration can be seen.
final class EndlessOperation: StoreOperation, @unchecked Sendable {
    private let cancelled = DispatchSemaphore(value: 0)

    override func main() {
        print("cleaning \(store.colours.count) colours")
        cancelled.wait()
    }

    override func cancel() {
        super.cancel()
        cancelled.signal()
    }
}
