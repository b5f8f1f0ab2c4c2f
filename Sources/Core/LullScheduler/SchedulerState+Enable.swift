import LullModel

/// Apps and tasks that operators switch off and on.
extension SchedulerState {
    /// Enables or disables a task, or the app (nil `task`). A disabled one can't be launched, not even by hand, and its
    /// runs are expired.
    mutating func enable(
        _ name: AppIdentifier, _ task: TaskIdentifier?, _ isEnabled: Bool, _ token: Token
    ) {
        let what = task?.text ?? name.text
        guard let app = app(name), task.map({ place(of: $0) != nil }) ?? true else {
            return reply(
                token,
                .refused(
                    Refusal(.notPermitted, "\(what) is not in \(manifest.path). Add it to the apps there.")))
        }
        let since = task.map { ledger.tasks[$0]?.disabledAt } ?? ledger.apps[name]?.disabledAt
        guard (since == nil) != isEnabled else {
            return reply(token, .unchanged("\(what) is \(isEnabled ? "enabled" : "disabled") already."))
        }
        record(
            HistoryEvent(
                isEnabled ? .enabled : .disabled, at: now.wall, app: name, task: task,
                reason: byOperator))
        countBudget(of: name)
        touchTasks(of: name)
        if let task { touch(task) }
        guard isEnabled else {
            let ended = disable(name, task, what)
            let runs = ended > 0 ? " Told \(Phrase.count(ended, "run")) of it to end." : ""
            return reply(
                token,
                .done("Disabled \(what) until `lull enable \(what)`.\(runs)"))
        }
        for definition in app.tasks where task == nil || definition.identifier == task {
            ensureRepeat(definition)
            ensureTimes(definition)
        }
        if needsDiscovery(app) { wantDiscovery(of: name) }
        reply(
            token,
            .done(
                "Enabled \(what).\(launchedNow(by: [task.map { .task($0) } ?? .app(name)]))\(stillOff(app, task))"
            ))
    }

    /// Returns how many runs it ends.
    private mutating func disable(_ name: AppIdentifier, _ task: TaskIdentifier?, _ what: String) -> Int {
        if task == nil {
            workers.forgetWanted { $0 == name }
            refuseForced(of: name, Refusal(.unavailable, "\(name) was disabled."))
            cancelTransfers(of: name, "\(name) was disabled")
        }
        let ended = (apps[name]?.runs ?? []).filter { task == nil || runs[$0]?.task == task }
        for run in ended {
            signal(run, .expire(reason: "\(what) was disabled", gates: [GateName.enabled.rawValue]))
        }
        return ended.count
    }

    /// A sentence on what keeps it disabled still; empty: nothing does.
    private func stillOff(_ app: App, _ task: TaskIdentifier?) -> String {
        let isOff = !app.enabled || task.flatMap(definition)?.enabled == false
        if isOff { return " It stays off: `enabled: false` in \(manifest.path)." }
        guard task != nil, ledger.apps[app.identifier]?.disabledAt != nil else { return "" }
        return " It stays off: its app is disabled. `lull enable \(app.identifier)` enables it."
    }
}
