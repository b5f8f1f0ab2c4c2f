import LullModel

/// The sentences about runs that an edit of the manifest does not reach: their worker was started before it.
///
/// The edit holds for what is launched from now on.
package enum OutdatedRuns {
    static func sentence(_ runs: [RunID], of task: TaskIdentifier) -> String {
        let names = runs.map(\.description).joined(separator: ", ")
        let who = runs.count == 1 ? "Run \(names) of \(task) goes" : "Runs \(names) of \(task) go"
        return
            "\(who) on with the settings, limits and plugin that were in force when its worker was started. "
            + "What is launched now has those that are in force."
    }

    package static func sentences(_ tasks: [StatusReport.TaskStatus]) -> [String] {
        tasks.compactMap { task in task.outdated.map { sentence($0, of: task.task) } }
    }
}
