public import LullModel

/// The name under which a task is counted: any number of tasks may fit a wildcard of the manifest, so they are counted
/// under the wildcard.
public struct MetricsNames: Sendable, Equatable {
    private let wildcards: Set<TaskIdentifier>
    /// Tasks that the manifest lists beside a wildcard that they fit.
    private let own: Set<TaskIdentifier>

    /// `tasks`: the manifest's.
    public init(_ tasks: [TaskIdentifier] = []) {
        let wildcards = Set(tasks.filter(\.isWildcard))
        self.wildcards = wildcards
        own = Set(tasks.filter { $0.wildcards.contains(where: wildcards.contains) })
    }

    func name(of task: TaskIdentifier) -> TaskIdentifier {
        guard !wildcards.isEmpty, !own.contains(task) else { return task }
        return task.wildcards.first(where: wildcards.contains) ?? task
    }
}
