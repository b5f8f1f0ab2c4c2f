import LullModel

/// Launches that operators hold back for a while; runs under way go on.
extension SchedulerState {
    mutating func pause(_ scope: Pause.Scope, _ until: WallTime?, _ reason: String?, _ token: Token) {
        if let refusal = refusal(of: scope) { return reply(token, .refused(refusal)) }
        if let until, until <= now.wall {
            let sentence = "The pause would end \(when(until)), in the past. Give a future time."
            return reply(token, .refused(Refusal(.unavailable, sentence)))
        }
        recordPause(.paused, scope, until: until, reason: reason)
        let end =
            until.map { "until \(self.until($0))" } ?? "until `lull resume \(scope.argument)`"
        let going = runs.values.count { scope.contains($0.task, of: $0.app) }
        let runs =
            going > 0 ? " \(Phrase.count(going, "run")) under way \(going == 1 ? "goes" : "go") on." : ""
        let rest = meanwhile(scope, until: until).map { " " + $0 } ?? ""
        reply(
            token,
            .done("Paused \(scope.phrase) \(end): nothing of it is launched except by hand.\(rest)\(runs)"))
    }

    mutating func resume(_ scope: Pause.Scope, _ token: Token) {
        if let refusal = refusal(of: scope) { return reply(token, .refused(refusal)) }
        let standing = pauses(at: now.wall)
        // `all` resumes every pause.
        let ended = scope == .all ? standing.map(\.scope) : standing.map(\.scope).filter { $0 == scope }
        for scope in ended { recordPause(.resumed, scope, until: nil, reason: nil) }
        let still = standing.map(\.scope).first { !ended.contains($0) && isHeld(scope, by: $0) }
        let rest =
            still.map {
                " \($0.phrase.sentenceCased) is still paused: "
                    + "`lull resume \($0.argument)`."
            } ?? ""
        guard !ended.isEmpty else {
            let what = scope == .all ? "Nothing is paused." : "\(scope.phrase) is not paused itself."
            return reply(token, .unchanged(what + rest))
        }
        reply(token, .done("Resumed \(Phrase.list(ended.map(\.phrase))).\(launchedNow(by: ended))\(rest)"))
    }

    /// A sentence on the tasks in `scopes` that are launched now: they have a request and only open gates.
    func launchedNow(by scopes: [Pause.Scope]) -> String {
        let due = manifest.tasks.map(\.identifier).filter { task in
            ledger.tasks[task]?.pending != nil
                && scopes.contains { scope in
                    manifest.app(of: task).map { scope.contains(task, of: $0) } ?? false
                }
                && evaluation(of: task, at: now).verdicts.allSatisfy(\.isOpen)
        }
        switch due.count {
        case 0: return ""
        case 1: return " \(due[0]) is due, and is launched now."
        default: return " \(due.count) tasks are due, and are launched now."
        }
    }

    /// The pauses in force, the widest first.
    func pauses(at time: WallTime) -> [Pause] {
        let apps = ledger.apps.values.sorted { $0.app < $1.app }.compactMap(\.pause)
        let tasks = ledger.tasks.values.sorted { $0.task < $1.task }.compactMap(\.pause)
        return ([ledger.pause].compactMap { $0 } + apps + tasks).filter { pause in
            guard pause.holds(at: time) else { return false }
            return switch pause.scope {
            case .all: true
            case .app(let app): listing.has(app)
            case .task(let task): place(of: task) != nil
            }
        }
    }

    private mutating func recordPause(
        _ name: HistoryEvent.Name, _ scope: Pause.Scope, until: WallTime?, reason: String?
    ) {
        var event: HistoryEvent
        switch scope {
        case .all: event = HistoryEvent(name, at: now.wall, app: .host)
        case .app(let app): event = HistoryEvent(name, at: now.wall, app: app)
        case .task(let task):
            guard let app = definition(of: task)?.app else { return }
            event = HistoryEvent(name, at: now.wall, app: app, task: task)
        }
        event.earliestBegin = until
        event.reason = reason ?? byOperator
        record(event)
        switch scope {
        case .all: for app in manifest.apps { touchTasks(of: app.identifier) }
        case .app(let app): touchTasks(of: app)
        case .task(let task): touch(task)
        }
    }

    private func refusal(of scope: Pause.Scope) -> Refusal? {
        let isKnown =
            switch scope {
            case .all: true
            case .app(let app): listing.has(app)
            case .task(let task): place(of: task) != nil
            }
        return isKnown ? nil : Refusal(.notPermitted, "\(scope.phrase) is not in \(manifest.path).")
    }

    private func isHeld(_ scope: Pause.Scope, by other: Pause.Scope) -> Bool {
        switch (scope, other) {
        case (.task(let task), .app(let app)): definition(of: task)?.app == app
        case (_, .all): true
        case (.all, .app), (.all, .task), (.app, .app), (.app, .task), (.task, .task): false
        }
    }

    private func until(_ time: WallTime) -> String {
        Phrase.moment(time, seenFrom: now.wall, in: now.zones.host)
    }
}

extension Pause.Scope {
    func contains(_ task: TaskIdentifier, of app: AppIdentifier) -> Bool {
        switch self {
        case .all: true
        case .app(let name): name == app
        case .task(let name): name == task
        }
    }
}
