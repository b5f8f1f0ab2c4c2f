import BackgroundTasks

// As it stands in an app for iOS, in Swift 5, but for `import UIKit`: a delegate that is no responder, a singleton that
// wraps beginBackgroundTask, handlers that take the base class, and the background fetch of old.

@main
class AppDelegate: NSObject, UIApplicationDelegate {
    private let started: Date

    override init() {
        started = Date()
        super.init()
    }

    func applicationDidFinishLaunching(_ application: UIApplication) {
        application.setMinimumBackgroundFetchInterval(UIApplication.backgroundFetchIntervalMinimum)
        RefreshManager.shared.register()
        NotificationCenter.default.addObserver(
            RefreshManager.shared, name: UIApplication.didEnterBackgroundNotification
        ) { RefreshManager.shared.schedule() }
    }

    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) {
        print("fetched \(started <= Date() ? "in time" : "early")")
        completionHandler(.newData)
    }
}

// As apps write it for Swift 6, where tasks cross threads.
extension BGTask: @unchecked Sendable {}

extension NotificationCenter {
    /// The block form keeps its observer, so that the app need not.
    func addObserver(_ owner: RefreshManager, name: Notification.Name, block: @escaping () -> Void) {
        owner.observer = addObserver(forName: name, object: nil, queue: nil) { _ in block() }
    }
}

final class RefreshManager {
    static let shared = RefreshManager()
    static let identifier = "com.example.Singleton.sync"

    var observer: Any?

    func register() {
        BGTaskScheduler.shared.register(
            forTaskWithIdentifier: Self.identifier, using: .main, launchHandler: handle)
        BGTaskScheduler.shared.register(
            forTaskWithIdentifier: "com.example.Singleton.export.*", using: nil, launchHandler: export)
    }

    func schedule() {
        let request = BGProcessingTaskRequest(identifier: Self.identifier)
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch BGTaskScheduler.Error.notPermitted {
            print("not permitted")
        } catch BGTaskScheduler.Error.tooManyPendingTaskRequests {
            print("too many")
        } catch {
            print("\((error as NSError).code): \(error.localizedDescription)")
        }
    }

    /// One identifier for each job.
    func submitExport(_ number: Int) {
        let request = BGContinuedProcessingTaskRequest(
            identifier: "com.example.Singleton.export.\(number)", title: "Export \(number)",
            subtitle: "Beginning")
        request.strategy = .fail
        do {
            try BGTaskScheduler.shared.submit(request)
        } catch {
            print("no export: \((error as NSError).code)")
        }
    }

    private func export(_ task: BGTask) {
        guard let task = task as? BGContinuedProcessingTask else {
            return task.setTaskCompleted(success: false)
        }
        task.progress.totalUnitCount = 3
        for step in 1...3 {
            task.progress.completedUnitCount = Int64(step)
            task.updateTitle(task.title, subtitle: "\(step) of 3")
        }
        print("exported \(task.identifier): \(task.title), \(task.subtitle)")
        task.setTaskCompleted(success: task.progress.isFinished)
    }

    private func handle(_ task: BGTask) {
        submitExport(42)
        dispatchPrecondition(condition: .onQueue(.main))
        task.expirationHandler = { task.setTaskCompleted(success: false) }
        BackgroundTime.shared.begin("sync")
        ProcessInfo.processInfo.performExpiringActivity(withReason: "sync") { expired in
            print(
                "activity \(expired ? "expired" : "begun"), low power \(ProcessInfo.processInfo.isLowPowerModeEnabled)"
            )
            BackgroundTime.shared.end()
            task.setTaskCompleted(success: !expired)
        }
    }
}

final class BackgroundTime {
    static let shared = BackgroundTime()

    private var identifier: UIBackgroundTaskIdentifier = .invalid

    func begin(_ name: String) {
        guard identifier == .invalid else { return }
        identifier = UIApplication.shared.beginBackgroundTask(withName: name) { [weak self] in
            self?.end()
        }
        print(
            "background task \(identifier == .invalid ? "refused" : "begun"), \(UIApplication.shared.backgroundTimeRemaining > 1 ? "with" : "without") time"
        )
    }

    func end() {
        guard identifier != .invalid else { return }
        UIApplication.shared.endBackgroundTask(identifier)
        identifier = .invalid
        print("background task ended")
    }
}
