import BackgroundTasks
import SQLiteMaintenanceKit

/// Looks after SQLite databases: every task that `jobs.yaml` permits to this app is a pass over those in its
/// settings.
@main
struct SQLiteMaintenanceApp: BackgroundTasksApp {
    func didFinishLaunching() {
        LullApp.declareSettings(MaintenanceSettings.schema)
        for identifier in LullApp.permittedTasks {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: .main) { task in
                run(task)
            }
        }
    }

    private func run(_ task: BGTask) {
        let log = task.runLog
        let running = Task {
            do {
                let maintenance = Maintenance(
                    try MaintenanceSettings(json: LullApp.settingsJSON),
                    steps: try MaintenanceTaskSettings(json: task.settingsJSON).steps,
                    stateFile: LullApp.stateDirectory + "/" + task.identifier + ".json"
                )
                let outcome = try await maintenance.run(at: .now) { note in
                    log(note.text, level: note.isProblem ? .error : .info)
                }
                task.log(outcome.message, level: outcome == .finished ? .info : .warning)
                task.setTaskCompleted(success: outcome == .finished)
            } catch {
                task.log("\(error)", level: .error)
                task.setTaskCompleted(success: false)
            }
        }
        task.expirationHandler = { running.cancel() }
    }
}
