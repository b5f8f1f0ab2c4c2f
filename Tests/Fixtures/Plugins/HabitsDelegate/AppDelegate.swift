import BackgroundTasks

// How apps for iOS keep their tasks going, in Swift 5, but for `import UIKit`: each task does it in another way. The wait
// between runs is the app's setting, so that a test sees several runs.

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    private let operations = OperationQueue()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        let scheduler = BGTaskScheduler.shared
        // Submits first, then works in an operation, whose end completes the task.
        scheduler.register(forTaskWithIdentifier: Wait.id("refresh"), using: nil) { task in
            Wait.schedule(BGAppRefreshTaskRequest(identifier: task.identifier))
            let operation = BlockOperation { print("refreshed") }
            task.expirationHandler = { operation.cancel() }
            operation.completionBlock = { task.setTaskCompleted(success: !operation.isCancelled) }
            self.operations.addOperation(operation)
        }
        // Submits on every way out.
        scheduler.register(forTaskWithIdentifier: Wait.id("deferred"), using: nil) { task in
            defer { Wait.schedule(BGProcessingTaskRequest(identifier: task.identifier)) }
            guard let task = task as? BGProcessingTask else { return task.setTaskCompleted(success: false) }
            task.setTaskCompleted(success: true)
        }
        // Submits after the completion.
        scheduler.register(forTaskWithIdentifier: Wait.id("after"), using: .global(qos: .utility)) { task in
            task.setTaskCompleted(success: true)
            Wait.schedule(BGProcessingTaskRequest(identifier: task.identifier))
        }
        // Submits where none is pending, at each launch and in the run; a group completes it on the main queue.
        scheduler.register(forTaskWithIdentifier: Wait.id("unless_pending"), using: nil) { task in
            self.scheduleUnlessPending()
            let group = DispatchGroup()
            for _ in 0..<3 {
                group.enter()
                DispatchQueue.global().async { group.leave() }
            }
            group.notify(queue: .main) { task.setTaskCompleted(success: true) }
        }
        // Cancels the pending requests before it submits.
        scheduler.register(forTaskWithIdentifier: Wait.id("cancelled"), using: .main) { task in
            self.scheduleAnew()
            task.setTaskCompleted(success: true)
        }
        // Twice at each start: here, and on entering the background.
        Wait.schedule(BGProcessingTaskRequest(identifier: Wait.id("deferred")))
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        Wait.schedule(BGAppRefreshTaskRequest(identifier: Wait.id("refresh")))
        for name in ["deferred", "after"] {
            Wait.schedule(BGProcessingTaskRequest(identifier: Wait.id(name)))
        }
        scheduleUnlessPending()
        scheduleAnew()
    }

    private func scheduleUnlessPending() {
        BGTaskScheduler.shared.getPendingTaskRequests { requests in
            guard !requests.contains(where: { $0.identifier == Wait.id("unless_pending") }) else { return }
            Wait.schedule(BGProcessingTaskRequest(identifier: Wait.id("unless_pending")))
        }
    }

    private func scheduleAnew() {
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: Wait.id("cancelled"))
        Wait.schedule(BGProcessingTaskRequest(identifier: Wait.id("cancelled")))
    }
}

enum Wait {
    private struct Settings: Decodable { var wait: Double }

    static let seconds = (try? LullApp.settings(as: Settings.self))?.wait ?? 15 * 60

    static func id(_ name: String) -> String { "com.example.Delegate." + name }

    static func schedule(_ request: BGTaskRequest) {
        request.earliestBeginDate = Date(timeIntervalSinceNow: seconds)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            LullApp.log("\(request.identifier): \(error.localizedDescription)", level: .error)
        }
    }
}
