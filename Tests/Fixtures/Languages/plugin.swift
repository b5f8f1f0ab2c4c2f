import BackgroundTasks

/// A plugin in Swift that registers what is permitted and completes each launch.
@main struct Plugin: BackgroundTasksApp {
    func didFinishLaunching() {
        for identifier in LullApp.permittedTasks {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: .main) { task in
                LullApp.log("hello from Swift")
                task.setTaskCompleted(success: true)
            }
        }
    }
}
