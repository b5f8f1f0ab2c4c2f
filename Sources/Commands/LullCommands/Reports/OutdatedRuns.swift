import LullModel

/// The sentences about runs that an edit of the manifest does not reach: their worker was started before it.
///
/// The edit holds for what is launched from now on.
package enum OutdatedRuns {
    static func sentence(_ runs: [RunID], of task: TaskIdentifier) -> String {
        let names = runs.map(\.description).joined(separator: ", ")
        let isOne = runs.count == 1
        return "\(isOne ? "Run" : "Runs") \(names) of \(task) still \(isOne ? "uses" : "use") the old "
            + "manifest; the next run uses the new one."
    }

    package static func sentences(_ tasks: [StatusReport.TaskStatus]) -> [String] {
        tasks.compactMap { task in task.outdated.map { sentence($0, of: task.task) } }
    }
}
