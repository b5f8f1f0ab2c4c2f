import LullModel

/// How many tasks are in which state, for a line above the tasks: "3 failing, 1 late, 2 running, 54 waiting".
package struct TaskCounts {
    /// One for each state that occurs.
    package let parts: [String]
    let total: Int

    private static let words = [
        ("late", "late"), ("no handler", "without a handler"), ("refused", "refused"),
        ("disabled", "disabled"), ("paused", "paused"), ("idle", "idle"),
        ("runs", "running"), ("ready", "ready"), ("waits", "waiting"),
    ]

    /// `tellsFailing`: counts failing tasks as failing, and only the others by their state.
    package init(_ all: [StatusReport.TaskStatus], phrases: Phrases, tellsFailing: Bool = true) {
        let tasks = all.filter { !$0.task.isWildcard }
        let failing = tellsFailing ? tasks.count(where: \.isFailing) : 0
        let states = tasks.filter { !tellsFailing || !$0.isFailing }
            .map { TaskLine(status: $0, phrases: phrases).state.text }
        let others = Self.words.compactMap { state, word in
            let count = states.count { $0 == state }
            return count == 0 ? nil : "\(count) \(word)"
        }
        total = tasks.count
        parts = (failing > 0 ? ["\(failing) failing"] : []) + others
    }
}
