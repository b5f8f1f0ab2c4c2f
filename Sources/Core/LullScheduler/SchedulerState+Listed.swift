import LullModel

/// The manifest's entries for tasks and apps, by name.
extension SchedulerState {
    /// Where the manifest lists a task, under its own name or else under the nearest wildcard that it fits.
    func place(of task: TaskIdentifier) -> Place? {
        if let place = places[task] { return place }
        if wildcardApps.isEmpty { return nil }
        return task.wildcards.lazy.compactMap { places[$0] }.first
    }

    /// The manifest's definition of a task, under the task's own name.
    func definition(of task: TaskIdentifier) -> TaskDefinition? {
        place(of: task).map { definition(of: task, at: $0) }
    }

    func definition(of task: TaskIdentifier, at place: Place) -> TaskDefinition {
        var definition = manifest.apps[place.app].tasks[place.task]
        definition.identifier = task
        return definition
    }

    /// The definition and app that the gates look at, for a task listed at that place.
    func shared(_ task: TaskIdentifier, at place: Place) -> (Shared<TaskDefinition>, Shared<App>) {
        let (app, tasks) = listed[place.app]
        let listed = tasks[place.task]
        if listed.identifier == task, listed.kind != .transfers { return (listed, app) }
        var definition = listed.value
        definition.identifier = task
        // The constraints apply to the transfers; the app may be told of their end at any time.
        if definition.kind == .transfers { definition.dropConstraints() }
        return (Shared(definition), app)
    }

    /// The tasks under an app's wildcards that have a request or run.
    func tasksUnderWildcards(of app: AppIdentifier) -> [TaskIdentifier] {
        guard wildcardApps.contains(app) else { return [] }
        let waiting = ledger.tasks.values.filter { $0.app == app && $0.pending != nil }.map(\.task)
        let running = (apps[app]?.runs ?? []).compactMap { runs[$0]?.task }
        return Set(waiting + running).filter { places[$0] == nil && place(of: $0) != nil }.sorted()
    }

    func app(_ identifier: AppIdentifier) -> App? {
        appPlaces[identifier].map { manifest.apps[$0] }
    }
}

extension TaskDefinition {
    fileprivate mutating func dropConstraints() {
        requires = .none
        windows = []
        quiet = []
    }
}
