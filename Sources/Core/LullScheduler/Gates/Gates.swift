import LullModel

/// Whether the manifest, the plugin and the operator let the task be launched at all.
extension GateInput {
    /// The finding of a gate: one function for each name.
    func verdict(of gate: GateName, _ required: [Condition]) -> GateFinding {
        switch gate {
        case .permitted: permitted()
        case .registered: registered()
        case .enabled: enabled()
        case .paused: paused()
        case .idleApp: idleApp()
        case .requested: requested()
        case .earliestBegin: earliestBegin()
        case .network, .externalPower, .battery, .idle, .load, .disk: condition(gate, required)
        case .folder: folder()
        case .window: window()
        case .quiet: quiet()
        case .rateLimit: rateLimit()
        case .budget: budget()
        case .costLimit: costLimit()
        case .backoff: backoff()
        case .concurrency: concurrency()
        case .fleet: fleet()
        case .shuttingDown: shuttingDown()
        // `evaluate` judges the moment after the other gates.
        case .moment: open(.moment(.otherGates))
        }
    }

    func permitted() -> GateFinding {
        if task.isWildcard, definition != nil { return closed(.permitted(.wildcard)) }
        guard let definition else { return closed(.permitted(.notListed)) }
        guard kind.isPermitted(under: definition.kind) else {
            return closed(.permitted(.kind(kind, permitted: definition.kind)))
        }
        return open(.permitted(.listed(definition.kind, file: definition.file, line: definition.line)))
    }

    func registered() -> GateFinding {
        if let app, let trouble = appRecord?.trouble, appRecord?.troubleStamp == stamp || stamp == nil {
            return closed(
                .registered(.trouble(trouble, plugin: app.plugin)), since: appRecord?.troubleSince)
        }
        guard let discovered = appRecord?.discovered else {
            return closed(.registered(.undiscovered(hostDiscovers: host.discovers)))
        }
        guard hasHandler || !isChanged else {
            return closed(.registered(.changed(hostDiscovers: host.discovers)))
        }
        guard hasHandler else {
            let fact: GateFact.Registration =
                definition?.kind == .push
                ? .takesNoPushes : definition?.kind == .transfers ? .takesNoTransfers : .noHandler
            return closed(.registered(fact), since: discovered)
        }
        guard let fault = appRecord?.lastFault else { return open(.registered(.handler)) }
        return open(.registered(.handlerDespite(fault: fault, at: appRecord?.lastFaultAt)))
    }

    /// Whether the plugin or its manifest entry has changed, and its handlers perhaps; a host looks as soon as it starts.
    var isChanged: Bool {
        guard let stamp, let known = appRecord?.stamp else { return false }
        return stamp != known
    }

    var hasHandler: Bool {
        if appRecord?.value.hasRegistered(task) == true { return true }
        return !lateHandlers.isEmpty
            && (lateHandlers.contains(task) || task.wildcards.contains(where: lateHandlers.contains))
    }

    func enabled() -> GateFinding {
        if let since = appRecord?.disabledAt, app != nil {
            return closed(.enabled(.app(by: appRecord?.value.disabledBy)), since: since)
        }
        if let since = record?.disabledAt {
            return closed(.enabled(.task(by: record?.value.disabledBy)), since: since)
        }
        if app?.enabled == false { return closed(.enabled(.appInManifest)) }
        if definition?.enabled == false { return closed(.enabled(.taskInManifest)) }
        return open(.enabled(.yes))
    }

    /// An operator holds launches back: of the task, of its app or of all.
    func paused() -> GateFinding {
        guard record?.pause != nil || appRecord?.pause != nil || host.pause != nil else {
            return open(.paused(.no))
        }
        let pauses = [record?.pause, appRecord?.pause, host.pause].compactMap { $0 }
            .filter { $0.holds(at: now.wall) }
        // The pause that lasts longest says when the gate opens.
        guard
            let pause = pauses.max(by: {
                ($0.until ?? .distantFuture, $0.since) < ($1.until ?? .distantFuture, $1.since)
            })
        else { return open(.paused(.no)) }
        return closed(.paused(.by(pause)), since: pause.since, until: pause.until)
    }

    /// The last instant at which the app is not idle; nil: the week rule does not concern it.
    var idlesAfter: WallTime? {
        app.flatMap { appRecord?.value.idlesAfter($0.value) { _ in idleCredit } }
    }

    func idleApp() -> GateFinding {
        guard let app, let appRecord else { return open(.idleApp(.unknown)) }
        guard let idleAfter = app.idleAfter else { return open(.idleApp(.never)) }
        guard let last = idlesAfter, let time = appRecord.lastSign else { return open(.idleApp(.unseen)) }
        let sign = GateFact.Sign(time: time, isUse: appRecord.lastUsed != nil)
        if now.wall <= last {
            return open(
                .idleApp(.inUse(sign, until: last, byHostsClock: app.idleClock == .host)), closes: last)
        }
        if kind == .continued { return open(.idleApp(.awaited(sign, after: idleAfter))) }
        if isUrgent { return open(.idleApp(.urgent(sign, after: idleAfter))) }
        if kind == .transfers { return open(.idleApp(.transferred(sign, after: idleAfter))) }
        return closed(
            .idleApp(.idle(sign, after: idleAfter)),
            // By the host's own clock that instant moves as the host sleeps on.
            since: app.idleClock == .wall ? last : appRecord.idledAt ?? last)
    }

    /// Launches a refresh at once if its app was idle since the last launch and is in use again: its data is old.
    func revival() -> Judgement? {
        // The objective `hits` counts the next use, and the use that ended the idleness is past: its plan decides.
        guard kind == .refresh, definition?.objective != .hits, let revived = appRecord?.revivedAt,
            let last = record?.lastLaunched,
            last < revived, revived <= now.wall
        else { return nil }
        return Judgement(verdict: open(.moment(.revived)), score: 1)
    }

    func requested() -> GateFinding {
        guard let request = record?.pending else {
            if task.isWildcard { return closed(.requested(.wildcard)) }
            if !awaited.isEmpty, runsOfTask == 0, definition?.enabled == true, app?.enabled != false {
                return closed(
                    .requested(.events(awaited, watched: record?.watchedSince, last: record?.lastHappened)))
            }
            let repeats = definition?.repeat != nil || definition?.at != nil
            let isDisabled = definition?.enabled == false || app?.enabled == false
            if repeats, isDisabled {
                return closed(.requested(.onceEnabled(byTimes: definition?.at != nil)))
            }
            if let timetable, definition?.at?.isAtBoot == false, runsOfTask == 0,
                timetable.next(after: now.wall - timetable.shift) == nil
            {
                return closed(.requested(.noTimeLeft))
            }
            if kind == .push { return closed(.requested(.noPush(isRunning: runsOfTask > 0))) }
            if kind == .transfers { return closed(.requested(.noTransfers(isRunning: runsOfTask > 0))) }
            return closed(.requested(.nobody(isRunning: runsOfTask > 0, repeats: repeats, kind)))
        }
        if let triggerEvent = request.triggerEvent {
            return open(.requested(.happened(triggerEvent, isAlone: request.origin == .event)))
        }
        if let push = request.push {
            return open(
                .requested(
                    .pushed(push.withoutPayload, request.submitted, urgencyLost: appRecord?.urgencyLostAt)))
        }
        return open(.requested(.by(request.origin, request.submitted, name: Rare(wrappedValue: request.by))))
    }

    func shuttingDown() -> GateFinding {
        host.isShuttingDown ? closed(.shuttingDown(true)) : open(.shuttingDown(false))
    }
}
