import BackgroundTasks
import CommandKit

/// Runs command lines as tasks: every task that `jobs.yaml` permits to this app is one command.
@main
struct CommandApp: BackgroundTasksApp {
    func didFinishLaunching() {
        LullApp.declareSettings(CommandSettings.schema)
        for identifier in LullApp.permittedTasks {
            BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
                run(task)
            }
        }
    }

    private func run(_ task: BGTask) {
        let running = Task {
            do {
                let settings = try CommandSettings(json: task.settingsJSON, app: LullApp.settingsJSON)
                let output = task.runOutput
                let outcome = try await OutputRelay.run(
                    { try await CommandRun(settings, standardOutput: $0, standardError: $1)() },
                    to: { output.write($1, to: $0 == .output ? .output : .error) })
                task.log(outcome.message, level: outcome.isSuccess ? .info : .error)
                task.setTaskCompleted(success: outcome.isSuccess)
            } catch {
                task.log("\(error)", level: .error)
                task.setTaskCompleted(success: false)
            }
        }
        task.expirationHandler = { running.cancel() }
    }
}
