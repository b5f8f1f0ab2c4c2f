import BackgroundTasks

// How apps for iOS keep their tasks going by tasks and actors, in Swift 6, but for `import UIKit`.

// In another package `@retroactive` stands before it.
extension BGTask: @unchecked Sendable {}

@main
final class AppDelegate: NSObject, UIApplicationDelegate {
    private let service = SyncService()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let scheduler = BGTaskScheduler.shared
        let service = service
        scheduler.register(forTaskWithIdentifier: id("actor"), using: nil) { @Sendable task in
            let work = Task { await service.run(task) }
            task.expirationHandler = { work.cancel() }
        }
        scheduler.register(forTaskWithIdentifier: id("maintenance"), using: .main) { task in
            Maintenance.shared.handle(task)
        }
        scheduler.register(forTaskWithIdentifier: id("raced"), using: nil) { @Sendable task in race(task) }
        scheduler.register(forTaskWithIdentifier: id("retried"), using: nil) { @Sendable task in
            Task { @MainActor in Retries.shared.run(task) }
        }
        return true
    }

    func applicationDidEnterBackground(_ application: UIApplication) {
        Task { await service.schedule() }
        Maintenance.shared.schedule()
        for name in ["raced", "retried"] { submit(name) }
    }
}

/// Does the work and submits, all in its own isolation, and only after the work.
actor SyncService {
    private var cursor = 0

    func run(_ task: BGTask) {
        cursor += 1
        schedule()
        task.setTaskCompleted(success: !Task.isCancelled)
    }

    func schedule() { submit("actor") }
}

/// Keeps its task, so that its end and its expiration meet in one place.
@MainActor
final class Maintenance {
    static let shared = Maintenance()
    private var active: BGTask?
    private var work: Task<Void, Never>?

    func schedule() {
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: id("maintenance"))
        submit("maintenance")
    }

    func handle(_ task: BGTask) {
        schedule()
        active = task
        task.expirationHandler = { [weak self] in
            Task { @MainActor in
                self?.work?.cancel()
                self?.finish(task, success: false)
            }
        }
        work = Task { [weak self] in
            await Task.yield()
            self?.finish(task, success: !Task.isCancelled)
        }
    }

    private func finish(_ task: BGTask, success: Bool) {
        guard active === task else { return }
        task.expirationHandler = nil
        active = nil
        task.setTaskCompleted(success: success)
    }
}

/// The app's own watchdog beside the work: whichever finishes first completes the task, and only that one.
func race(_ task: BGTask) {
    submit("raced")
    let completed = OnlyOnce()
    // Safe: it is only cancelled, which any thread may do.
    nonisolated(unsafe) let watchdog = DispatchWorkItem {
        if completed.isFirst() { task.setTaskCompleted(success: false) }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + 25, execute: watchdog)
    task.expirationHandler = {
        watchdog.cancel()
        if completed.isFirst() { task.setTaskCompleted(success: false) }
    }
    Task.detached {
        watchdog.cancel()
        if completed.isFirst() { task.setTaskCompleted(success: true) }
    }
}

final class OnlyOnce: @unchecked Sendable {
    private let lock = NSLock()
    private var isTaken = false

    func isFirst() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        defer { isTaken = true }
        return !isTaken
    }
}

/// Fails every second time, and always asks for another run.
@MainActor
final class Retries {
    static let shared = Retries()
    private var failures = 0

    func run(_ task: BGTask) {
        failures = (failures + 1) % 2
        submit("retried", after: wait * Double(failures + 1))
        task.setTaskCompleted(success: failures == 0)
    }
}

struct Settings: Decodable { var wait: Double }

let wait = (try? LullApp.settings(as: Settings.self))?.wait ?? 15 * 60

func id(_ name: String) -> String { "com.example.Actors." + name }

func submit(_ name: String, after delay: TimeInterval = wait) {
    let request = BGProcessingTaskRequest(identifier: id(name))
    request.earliestBeginDate = Date(timeIntervalSinceNow: delay)
    do {
        try BGTaskScheduler.shared.submit(request)
    } catch {
        LullApp.log("\(name): \(error.localizedDescription)", level: .error)
    }
}
