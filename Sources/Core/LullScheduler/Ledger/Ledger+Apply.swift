public import LullModel

extension Ledger {
    /// Folds one event of the history in.
    ///
    /// Total: any event in any order leaves a ledger, for a history may be imported from elsewhere.
    public mutating func apply(_ event: HistoryEvent, zones: Zones) {
        latest = max(latest ?? event.time, event.time)
        if let request = event.request, request.number >= nextRequest, request.number < .max {
            nextRequest = request.number + 1
        }
        if let run = event.run, run.number >= nextRun, run.number < .max { nextRun = run.number + 1 }

        // A use may be read late, and a span of conditions ends before it is recorded: they say nothing about the clock.
        if event.event != .used, event.event != .conditions {
            absences.clockRead(event.time)
            away.clockRead(event.time)
        }

        guard event.app != .host else { return applyHost(event, zones: zones) }
        // Changed in place: to take it out and put it in again would move its neighbours.
        var app = AppRecord(app: event.app, touched: event.time)
        guard let place = apps.index(forKey: event.app) else {
            change(&app, with: event, zones: zones)
            apps[event.app] = app
            return
        }
        swap(&app, &apps.values[place])
        change(&app, with: event, zones: zones)
        swap(&app, &apps.values[place])
    }

    private mutating func change(_ app: inout AppRecord, with event: HistoryEvent, zones: Zones) {
        let time = event.time
        app.touched = max(app.touched, time)

        // A warning later than the event was given before the clock was set back, and is void. A return later than the
        // event is moved back, or launches since then would count as launched before it. A use may be read late, and
        // says nothing about the clock.
        if event.event != .used {
            if let warned = app.warnedAt, time < warned { app.warnedAt = nil }
            if let revived = app.revivedAt, time < revived { app.revivedAt = time }
        }
        switch event.event {
        case .used:
            app.forecast.learn(useAt: time, zone: zones.zone(of: event.app))
            app.multiplier = event.price ?? app.multiplier
            app.lastUsed = max(app.lastUsed ?? time, time)
        case .discovered:
            app.discovered = app.discovered ?? time
            app.registered = (event.registered ?? []).sorted()
            if app.stamp != event.stamp {
                (app.lastFault, app.lastFaultAt) = (nil, nil)
                transfers.pluginChanged(event.app)
            }
            app.stamp = event.stamp
            app.trouble = nil
            app.troubleStamp = nil
            app.troubleSince = nil
            app.startFailure = nil
            notices.recover(event.app.text)
        case .idled: app.idledAt = time
        case .idleSoon: app.warnedAt = time
        case .revived:
            if let idledAt = app.idledAt, let used = app.lastUsed, used > idledAt { app.revivedAt = time }
            app.idledAt = nil
        case .enabled where event.task != nil: withTask(event) { ($0.disabledAt, $0.disabledBy) = (nil, nil) }
        case .disabled where event.task != nil:
            withTask(event) { record in
                guard record.disabledAt == nil else { return }
                (record.disabledAt, record.disabledBy) = (time, event.by)
            }
        case .enabled:
            (app.disabledAt, app.disabledBy) = (nil, nil)
            app.enabledAt = time
        case .disabled: if app.disabledAt == nil { (app.disabledAt, app.disabledBy) = (time, event.by) }
        case .paused, .resumed:
            if event.task != nil {
                withTask(event) { $0.pause = event.pause }
            } else {
                app.pause = event.pause
            }
        case .submitted: applySubmitted(event, to: &app)
        case .replaced, .merged: endRequest(event, in: &app, isOver: false)
        case .cancelled, .givenUp: endRequest(event, in: &app, isOver: true)
        case .watched:
            let next = RunID(nextRun)
            withTask(event) { record in
                record.note(event)
                if record.watches != event.reason { record.watchedFrom = next }
                (record.watches, record.watchedSince) = (event.reason, time)
            }
        case .happened:
            withTask(event) { record in
                guard let triggerEvent = event.triggerEvent else { return }
                record.note(triggerEvent)
                guard record.pending?.id == event.request else { return }
                if record.pending?.triggerEvent == nil {
                    record.pending?.triggerEvent = triggerEvent
                } else {
                    record.pending?.triggerEvent?.merge(triggerEvent)
                }
            }
        case .deferred:
            withTask(event) { record in
                record.note(closed: event.gates ?? [], at: time)
                record.opens = event.earliestBegin
            }
        case .launched:
            slots.apply(event)
            applyLaunched(event, to: &app)
        case .expired:
            if let run = event.run {
                runs[run]?.expiredBy = event.gates ?? []
                runs[run]?.metLimit = event.milliseconds
                if event.outcome == .stopped { runs[run]?.isStopped = true }
            }
        case .completed, .failed, .interrupted:
            slots.apply(event)
            applyEnd(event, to: &app)
        case .violation:
            if event.outcome == .killed || event.outcome == .crashed {
                (app.lastFault, app.lastFaultAt) = (event.reason, time)
            }
        case .notice, .notified: notices.apply(event)
        case .reported: if let run = event.run { runs[run]?.isReported = true }
        case .restored: (app.unreported, app.urgencyLostAt) = (nil, nil)
        case .notification: notifications.apply(event)
        case .transfer: transfers.apply(event)
        case .slot:
            slots.apply(event)
            if event.slot?.act == .elsewhere { applyElsewhere(event, to: &app) }
        case .refused, .absent, .conditions, .reloaded: break
        }
    }

    /// Applies an event of the host itself: no app's record is made or touched.
    private mutating func applyHost(_ event: HistoryEvent, zones: Zones) {
        let time = event.time
        switch event.event {
        case .notice, .notified: notices.apply(event)
        case .absent:
            if let step = Absence.clockStep(event) { transfers.clockSet(by: step) }
            Absence(event).map { applyAbsence($0) }
            if event.absence == .back, let milliseconds = event.milliseconds {
                for place in apps.values.indices {
                    apps.values[place].clockSetBack(by: milliseconds, to: time)
                }
            }
        case .conditions: conditions.apply(event, zone: zones.host)
        case .paused, .resumed: pause = event.pause
        // No other event concerns the host.
        default: break
        }
    }

    mutating func withTask(_ event: HistoryEvent, _ change: (inout TaskRecord) -> Void) {
        guard let task = event.task else { return }
        change(&tasks[task, default: TaskRecord(task: task, app: event.app, touched: event.time)])
        tasks[task]?.touched = event.time
    }

    private mutating func applySubmitted(_ event: HistoryEvent, to app: inout AppRecord) {
        guard let task = event.task, let id = event.request, let kind = event.kind else { return }
        var request = TaskRequest(
            id: id, task: task, app: event.app, kind: kind, origin: event.origin ?? .operator,
            submitted: event.time,
            earliestBegin: event.earliestBegin, requires: event.requires ?? .none,
            label: event.label, occurrence: event.occurrence, triggerEvent: event.triggerEvent,
            push: event.push, params: event.params, by: event.by)
        request.expectedBy = event.expectedBy
        if kind == .continued { remember(continued: task, of: &app) }
        withTask(event) { record in
            record.note(event)
            if let triggerEvent = event.triggerEvent { record.note(triggerEvent) }
            // A request that has not ended is served first.
            if record.pending == nil {
                record.begin(request, at: event.time)
            } else {
                record.following = request
            }
        }
        countRequests(of: task, in: &app)
    }

    /// Updates whether a plugin's request of the task counts against the quota of its app.
    func countRequests(of task: TaskIdentifier, in app: inout AppRecord) {
        app.pluginRequests.removeAll { $0 == task }
        let record = tasks[task]
        if record?.pending?.origin == .plugin || record?.following?.origin == .plugin {
            app.pluginRequests.append(task)
        }
    }

    /// Remembers a continued task; if there are too many, forgets the idle one that was asked for longest ago.
    mutating func remember(continued task: TaskIdentifier, of app: inout AppRecord) {
        var known = app.continued ?? []
        known.removeAll { $0 == task }
        if known.count >= Limits.continuedTasks {
            let running = Set(runs.values.map(\.task))
            let oldest = known.firstIndex { tasks[$0]?.pending == nil && !running.contains($0) }
            if let oldest {
                let forgotten = known.remove(at: oldest)
                tasks[forgotten] = nil
                notices.recover(forgotten.text)
            }
        }
        app.continued = known + [task]
    }

    /// `isOver`: no other request takes its place in the same turn.
    private mutating func endRequest(_ event: HistoryEvent, in app: inout AppRecord, isOver: Bool) {
        guard let task = event.task, let id = event.request else { return }
        if tasks[task]?.following?.id == id {
            withTask(event) { $0.following = nil }
        } else if tasks[task]?.pending?.id == id {
            withTask(event) { record in
                record.note(event)
                if isOver {
                    record.tried = nil
                    record.endPending(at: event.time)
                } else {
                    record.pending = nil
                }
            }
        }
        countRequests(of: task, in: &app)
    }

    /// The result of a slot on another host: it is no run of this host, but the request ends and a success counts.
    private mutating func applyElsewhere(_ event: HistoryEvent, to app: inout AppRecord) {
        endRequest(event, in: &app, isOver: true)
        guard event.slot?.state == .done, let task = event.task else { return }
        notices.recover(task.text)
        withTask(event) { $0.note(successAt: event.time) }
    }
}

extension HistoryEvent {
    /// The pause that a `paused` begins; nil: it is a `resumed`.
    fileprivate var pause: Pause? {
        guard event == .paused else { return nil }
        let scope: Pause.Scope = task.map { .task($0) } ?? (app == .host ? .all : .app(app))
        return Pause(scope, since: time, until: earliestBegin, reason: reason, by: by)
    }
}
