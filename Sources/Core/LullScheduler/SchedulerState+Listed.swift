import LullModel

/// The manifest's entries for tasks and apps, by name.
extension SchedulerState {
    var manifest: Manifest { listing.manifest }

    func place(of task: TaskIdentifier) -> Listing.Place? { listing.place(of: task) }

    func app(_ identifier: AppIdentifier) -> App? { listing.app(identifier) }

    /// The manifest's definition of a task, under the task's own name.
    func definition(of task: TaskIdentifier) -> TaskDefinition? {
        place(of: task).map { listing.definition(of: task, at: $0) }
    }

    /// The tasks under an app's wildcards that have a request or run.
    func tasksUnderWildcards(of app: AppIdentifier) -> [TaskIdentifier] {
        guard listing.hasWildcards(app) else { return [] }
        let waiting = ledger.tasks.values.filter { $0.app == app && $0.pending != nil }.map(\.task)
        let running = (apps[app]?.runs ?? []).compactMap { runs[$0]?.task }
        return Set(waiting + running).filter { !listing.names($0) && place(of: $0) != nil }.sorted()
    }
}
