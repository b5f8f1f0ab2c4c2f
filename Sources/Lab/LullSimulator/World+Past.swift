public import LullModel
import LullScheduler

extension World {
    /// The past of a host, from its history, under a manifest of today.
    ///
    /// It replays the uses, the conditions as far as they were noted, sleep and power cuts, the events of `on`, and the requests
    /// of plugins and operators. A run goes as the past run that was launched nearest to it. Pushes, transfers and cancelled
    /// requests are left out.
    ///
    /// - Parameter events: in order; those before `start` are what is known then.
    public init(past events: [HistoryEvent], of manifest: Manifest, zones: Zones, from start: WallTime) {
        self.init(manifest: manifest, zones: zones, start: start)
        let events = events.map(\.withoutLease)
        history = events.filter { $0.time < start }
        let later = events.filter { $0.time >= start }
        for change in ConditionsPast(events, manifest).changes {
            if change.time <= start {
                conditions = change.conditions
            } else {
                timeline.append(Entry(change.time, .conditions(change.conditions)))
            }
        }
        timeline += later.compactMap(Self.entry)
        timeline += Self.stimuli(later, manifest).map { Entry($0.time, .happened($0.trigger)) }
        for (task, runs) in Self.runs(events) { handlers[task, default: HandlerModel()].past = runs }
        // The same in two replays, whatever was launched before.
        for task in manifest.tasks {
            handlers[task.identifier, default: HandlerModel()].heedsExpirationMilliseconds = 100...100
        }
        for app in manifest.apps {
            plugins[app.identifier, default: PluginModel()].startMilliseconds = 100...100
        }
        looksForWaiting = false
        options.sendsNotices = false
    }

    /// Events of `on`, as they came.
    public static func stimuli(
        _ events: [HistoryEvent], _ manifest: Manifest
    ) -> [(time: WallTime, trigger: Trigger)] {
        let on = Dictionary(manifest.tasks.map { ($0.identifier, $0.on) }) { first, _ in first }
        return events.flatMap { event -> [(time: WallTime, trigger: Trigger)] in
            guard event.event == .submitted || event.event == .happened,
                let triggerEvent = event.triggerEvent, let task = event.task
            else { return [] }
            // Of several entries of one kind the first is taken: the history does not say which it was.
            return triggerEvent.kinds.filter { $0 != .after }.compactMap { kind in
                on[task]?.first { $0.kind == kind }.map { (event.time, $0) }
            }
        }
    }

    private static func entry(_ event: HistoryEvent) -> Entry? {
        var time = event.time
        let stimulus: Stimulus
        switch (event.event, event.task) {
        case (.used, _): stimulus = .used(event.app)
        case (.absent, _):
            guard let absence = Absence(event) else { return nil }
            time = absence.end - absence.length
            switch absence.cause {
            case .asleep: stimulus = .suspended(absence.length)
            case .off: stimulus = .poweredOff(absence.length, silently: true)
            case .stopped, .lost: stimulus = .hostDied(down: absence.length)
            case .passes, .stalled, .ahead, .back: return nil
            }
        case (.submitted, let task?):
            guard event.triggerEvent == nil, event.origin == .plugin || event.origin == .operator else {
                return nil
            }
            stimulus = .submitted(
                Submission(
                    app: event.origin == .plugin ? event.app : nil, task: task, kind: event.kind,
                    earliestBegin: event.earliestBegin, requires: event.requires ?? .none, label: event.label)
            )
        // By hand, past the queue.
        case (.launched, let task?):
            guard event.request == nil, event.origin == .operator else { return nil }
            stimulus = .launchRequested(task)
        case (.enabled, let task): stimulus = .enabled(event.app, true, task: task)
        case (.disabled, let task): stimulus = .enabled(event.app, false, task: task)
        case (.paused, _): stimulus = .paused(event.pauseScope, event.earliestBegin.map { $0 - event.time })
        case (.resumed, _): stimulus = .resumed(event.pauseScope)
        default: return nil
        }
        return Entry(time, stimulus)
    }

    /// The past runs of each task, in order; runs in which the host was cut off are left out.
    private static func runs(_ events: [HistoryEvent]) -> [TaskIdentifier: [PastRun]] {
        var launches: [RunID: (task: TaskIdentifier, time: WallTime)] = [:]
        var runs: [TaskIdentifier: [PastRun]] = [:]
        for event in events {
            guard let run = event.run, let task = event.task else { continue }
            if event.event == .launched { launches[run] = (task, event.time) }
            guard let outcome = event.ending, outcome != .interrupted, outcome != .unloadable,
                let launch = launches.removeValue(forKey: run), let milliseconds = event.milliseconds
            else { continue }
            let endsItself = outcome != .expired && outcome != .killed
            runs[launch.task, default: []].append(
                PastRun(
                    launched: launch.time, length: endsItself ? .milliseconds(milliseconds) : nil,
                    succeeds: outcome.isSuccess))
        }
        return runs.mapValues { $0.sorted { $0.launched < $1.launched } }
    }
}

extension HistoryEvent {
    /// Of `paused` and `resumed`.
    fileprivate var pauseScope: Pause.Scope {
        task.map(Pause.Scope.task) ?? (app == .host ? .all : .app(app))
    }

    /// Without its slot: the fleet of that time does not matter.
    fileprivate var withoutLease: HistoryEvent {
        var event = self
        if event.event == .launched { event.slot = nil }
        return event
    }
}
