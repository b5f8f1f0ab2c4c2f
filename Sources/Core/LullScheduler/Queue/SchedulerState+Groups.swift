import LullModel

/// Groups of tasks that share something, such as a database: `groups` limits how many of them run at once.
extension SchedulerState {
    /// The full group and its longest run, which hold back the group's tasks; nil: there is room.
    func holder(of group: String) -> GateFact.Group? {
        let members = runs.ofGroup(group)
        let most = max(1, manifest.groups[group] ?? 1)
        guard members.count >= most, let first = members.first, let run = runs[first] else { return nil }
        return GateFact.Group(
            name: group, most: most, runs: members.count, holder: run.task,
            since: ledger.runs[first]?.launched ?? now.wall)
    }

    /// A run of the group has begun or ended: the group's tasks with a request are reviewed.
    mutating func touchGroup(_ group: String?) {
        guard let group else { return }
        for member in listing.members(of: group) {
            let tasks =
                member.isWildcard
                ? definition(of: member).map { tasksUnderWildcards(of: $0.app) } ?? [] : [member]
            for task in tasks where ledger.tasks[task]?.pending != nil { touch(task) }
        }
    }
}
