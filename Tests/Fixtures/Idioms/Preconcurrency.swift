@preconcurrency import BackgroundTasks

// The other way in which apps for iOS let tasks cross threads in Swift 6.

final class Refresher {
    func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "a", using: nil) { task in
            let work = Task.detached {
                task.setTaskCompleted(success: true)
            }
            task.expirationHandler = { work.cancel() }
        }
    }
}
