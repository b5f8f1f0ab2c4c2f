import BackgroundTasks

// As it stands in an app for iOS, in Swift 5, but for its import: handlers that must not run on the main thread, written where
// Swift takes them for the main actor's. Two fixtures are built of this file, the second with all of it on the main actor.

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    private let own = DispatchQueue(label: "com.example.Queues.own")
    private var count = 0

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        register("ask") { task in
            // What the main thread knows is read there.
            let count = DispatchQueue.main.sync { self.count }
            task.setTaskCompleted(success: count == 0)
        }
        register("wait") { task in
            let loaded = DispatchSemaphore(value: 0)
            DispatchQueue.main.async {
                self.count += 1
                loaded.signal()
            }
            loaded.wait()
            task.setTaskCompleted(success: true)
        }
        register("operations") { task in self.runOperations(task) }
        register("own", using: own) { task in
            dispatchPrecondition(condition: .onQueue(self.own))
            self.finish(task)
        }
        register("method", using: own, handler: finish)
        register("block") { task in self.block(task) }
        // A mistake on each system; its expiration comes all the same.
        register("block_main", using: .main) { task in
            dispatchPrecondition(condition: .onQueue(.main))
            self.block(task)
        }
        return true
    }

    private func register(
        _ name: String, using queue: DispatchQueue? = nil, handler: @escaping (BGTask) -> Void
    ) {
        BGTaskScheduler.shared.register(
            forTaskWithIdentifier: "com.example.Queues.\(name)", using: queue, launchHandler: handler)
    }

    private func finish(_ task: BGTask) {
        precondition(!Thread.isMainThread)
        task.setTaskCompleted(success: true)
    }

    private func runOperations(_ task: BGTask) {
        let queue = OperationQueue()
        let show = BlockOperation { DispatchQueue.main.sync { self.count += 1 } }
        queue.addOperations([show], waitUntilFinished: true)
        task.setTaskCompleted(success: show.isFinished)
    }

    private func block(_ task: BGTask) {
        let expired = DispatchSemaphore(value: 0)
        task.expirationHandler = { expired.signal() }
        print("working")
        expired.wait()
        print("expired")
        task.setTaskCompleted(success: false)
    }
}
