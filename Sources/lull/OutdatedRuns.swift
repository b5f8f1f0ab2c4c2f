import LullModel

/// What is said of runs whose worker is from before a change of their app: the change holds from the next launch on.
enum OutdatedRuns {
    static func sentence(_ runs: [RunID], of task: TaskIdentifier) -> String {
        let names = runs.map(\.description).joined(separator: ", ")
        let who = runs.count == 1 ? "Run \(names) of \(task) goes" : "Runs \(names) of \(task) go"
        return
            "\(who) on with the settings, limits and plugin that were in force when its worker was started. "
            + "What is launched now has those that are in force."
    }

    static func sentences(_ tasks: [StatusReport.TaskStatus]) -> [String] {
        tasks.compactMap { task in task.outdated.map { sentence($0, of: task.task) } }
    }
}
