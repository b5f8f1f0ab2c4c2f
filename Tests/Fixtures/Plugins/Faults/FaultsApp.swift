import BackgroundTasks

/// Makes the mistake that its settings name: mistakes for which iOS ends an app, and others that it ignores.
@main
struct FaultsApp: BackgroundTasksApp {
    struct Settings: Decodable {
        var atLaunch: String?
    }
    struct TaskSettings: Decodable {
        var inRun: String
    }

    private static let task = "com.example.Faults.task"
    private static let other = "com.example.Faults.other"

    func didFinishLaunching() {
        let fault = (try? LullApp.settings(as: Settings.self))?.atLaunch
        if fault != "no handler", fault != "register late" {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.task, using: nil) { run($0) }
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.other, using: nil) { run($0) }
        if fault == "register twice" {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.task, using: nil) { run($0) }
        }
    }

    func didEnterBackground() {
        switch (try? LullApp.settings(as: Settings.self))?.atLaunch {
        case "no handler": submit(BGProcessingTaskRequest(identifier: Self.task))
        case "not permitted": submit(BGProcessingTaskRequest(identifier: "com.example.Faults.unheard"))
        case "two refreshes":
            submit(BGAppRefreshTaskRequest(identifier: Self.task))
            submit(BGAppRefreshTaskRequest(identifier: Self.task))
            submit(BGAppRefreshTaskRequest(identifier: Self.other))
        default: break
        }
    }

    private func submit(_ request: BGTaskRequest) {
        do {
            try BGTaskScheduler.shared.submit(request)
            LullApp.log("submitted \(request.identifier)")
        } catch {
            LullApp.log("code \((error as NSError).code): \(error.localizedDescription)", level: .warning)
        }
    }

    /// Written in the main actor's code and called from elsewhere: on iOS this traps in Swift 6.
    private func run(_ task: BGTask) {
        MainActor.preconditionIsolated()
        task.log("launched as \(type(of: task))")
        switch (try? task.settings(as: TaskSettings.self))?.inRun {
        case "drop": break
        case "register late":
            let isRegistered = BGTaskScheduler.shared.register(
                forTaskWithIdentifier: Self.task, using: nil
            ) { run($0) }
            task.log("registered late: \(isRegistered)")
            task.setTaskCompleted(success: true)
        case "complete twice":
            task.setTaskCompleted(success: true)
            task.setTaskCompleted(success: false)
        case "wait without expiration handler": Kept.task = task
        case "wait":
            Kept.task = task
            task.expirationHandler = {
                MainActor.preconditionIsolated()
                task.log("expired")
                task.setTaskCompleted(success: true)
            }
        default: task.setTaskCompleted(success: true)
        }
    }
}

@MainActor
enum Kept {
    static var task: BGTask?
}
