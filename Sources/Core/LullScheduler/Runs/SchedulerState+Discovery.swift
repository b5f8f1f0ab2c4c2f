import LullModel

/// Starts of apps without a task, so that they register their handlers and submit their first requests.
extension SchedulerState {
    /// Whether an app is to be started for discovery: when it is new, after a change of plugin or manifest entry, and
    /// at boot; never an idle or disabled app.
    ///
    /// A pass of `run --once` is no boot. An app that could not be loaded is tried again after a change or at boot; one
    /// whose worker died before it was ready, after its backoff.
    func needsDiscovery(_ app: App, isFirst: Bool = false) -> Bool {
        guard options.discovers, !isShuttingDown, mayBeDiscovered(app) else { return false }
        let record = ledger.apps[app.identifier]
        if isFirst && !options.isPass { return true }
        let stamp = listing.stamps[app.identifier]
        if let startFailure = startFailure(of: app.identifier), startFailure.stamp == stamp {
            return !startFailure.holds(at: now.wall, stamp: stamp)
        }
        if let record, record.trouble != nil { return record.troubleStamp != stamp }
        guard let record, record.discovered != nil else { return true }
        return record.stamp != stamp
    }

    private func mayBeDiscovered(_ app: App) -> Bool {
        app.enabled && ledger.apps[app.identifier]?.disabledAt == nil
            && (!isIdle(app) || Mutation.discoversIdle.isOn)
    }

    mutating func wantDiscovery(of name: AppIdentifier) {
        workers.want(name)
    }

    /// Starts at most as many at once as there may be runs.
    mutating func startDiscoveries() {
        guard !isShuttingDown else { return }
        var waiting: [AppIdentifier] = []
        while workers.discovering.count < max(1, manifest.hostConcurrency), let name = workers.nextWanted() {
            // It may have waited for its turn for long enough to be idle or disabled by now.
            guard let app = app(name), mayBeDiscovered(app) else { continue }
            guard let state = apps[name] else { continue }
            switch state.worker {
            case .none where state.mayStartWorker:
                workers.discover(name)
                startWorker(name)
            case .starting: workers.discover(name)
            // Whatever it was started for, its plugin has registered its handlers.
            case .warm, .suspended: continue
            case .none, .leaving: waiting.append(name)
            }
        }
        workers.putBack(waiting)
    }

    mutating func workerReady(
        _ id: WorkerID, _ registered: [TaskIdentifier], _ plugin: Provenance.Plugin?, runsAlone: Bool
    ) {
        guard worker(id)?.state == .starting else { return }
        let name = id.app
        change(id) {
            $0.plugin = plugin
            $0.runsAlone = runsAlone
        }
        trustPlugin(of: id)
        let wasDiscovering = workers.endDiscovery(of: name)
        setWorker(id, .warm)
        let record = ledger.apps[name]
        let registered = Array(Set(registered)).sorted()
        let isNews =
            record?.discovered == nil || record?.registered != registered || record?.trouble != nil
            || record?.stamp != listing.stamps[name] || record?.startFailure != nil
        apps[name]?.absence = nil
        if wasDiscovering || isNews {
            var event = HistoryEvent(.discovered, at: now.wall, app: name)
            event.registered = registered
            event.stamp = listing.stamps[name]
            self.record(event)
            reconcileIdleness(of: name)
            guard let app = app(name) else { return evict(id) }
            for task in app.tasks { ensureRepeat(task) }
            touchTasks(of: name)
        }
        for launch in takeForced(of: name) { force(launch) }
        if worker(id)?.runs.isEmpty == true { setTimer(of: id, now.monotonic + Limits.settleTime) }
        offer(name)
    }

    mutating func workerFailed(_ id: WorkerID, _ sentence: String) {
        guard let known = worker(id) else { return }
        let name = id.app
        if known.takesLaunches { workers.endDiscovery(of: name) }
        let wasStarting = known.state == .starting
        apps[name]?.absence = nil
        endRuns(of: id, .crashed, "its worker is gone: \(sentence)")
        setWorker(id, .none)
        if wasStarting { noteTrouble(of: name, sentence) }
        if apps[name]?.forced.isEmpty == false { startWorker(name) }
        offer(name)
    }

    private mutating func noteTrouble(of name: AppIdentifier, _ sentence: String) {
        var event = HistoryEvent(.failed, at: now.wall, app: name, outcome: .unloadable, reason: sentence)
        event.stamp = listing.stamps[name]
        record(event)
        refuseForced(of: name, Refusal(.unavailable, "The plugin of \(name) can't be loaded: \(sentence)"))
        touchTasks(of: name)
    }

    /// Its worker died, or was killed, before the plugin was ready: it is tried again after the backoff. The machine may have
    /// been busy, or the host stopped.
    mutating func noteStartFailure(of name: AppIdentifier, _ sentence: String) {
        var event = HistoryEvent(.failed, at: now.wall, app: name, outcome: .crashed, reason: sentence)
        event.stamp = listing.stamps[name]
        record(event)
        apps[name]?.absence = nil
        tryAgainLater(name, sentence)
    }

    /// Something that the start needs is missing and may be back soon, such as an account of a directory or a file on a
    /// share. The same reason is recorded once in a row.
    mutating func workerHeldBack(_ id: WorkerID, _ sentence: String) {
        guard worker(id)?.state == .starting else { return }
        let name = id.app
        let stamp = listing.stamps[name]
        workers.endDiscovery(of: name)
        setWorker(id, .none)
        var absence = StartFailure(failures: 1, at: now.wall, reason: sentence, stamp: stamp, isAbsence: true)
        if let before = apps[name]?.absence, before.reason == sentence, before.stamp == stamp {
            absence.failures += before.failures
        } else {
            var event = HistoryEvent(
                .failed, at: now.wall, app: name, outcome: .crashed, reason: sentence)
            event.stamp = stamp
            record(event)
        }
        apps[name]?.absence = absence
        tryAgainLater(name, sentence)
        offer(name)
    }

    func startFailure(of name: AppIdentifier) -> StartFailure? {
        apps[name]?.absence ?? ledger.apps[name]?.startFailure
    }

    private mutating func tryAgainLater(_ name: AppIdentifier, _ sentence: String) {
        let again = startFailure(of: name)?.until ?? now.wall
        refuseForced(
            of: name,
            Refusal(
                .unavailable,
                "The plugin of \(name) was not started: \(sentence). It is tried again in "
                    + "\(Phrase.span(again - now.wall)), or by another `lull launch`."))
        armCheck(of: name)
        touchTasks(of: name)
    }

    mutating func workerExited(_ id: WorkerID, _ sentence: String, isLost: Bool) {
        guard let known = worker(id) else { return }
        let name = id.app
        switch known.state {
        case .none: break
        case .starting:
            workers.endDiscovery(of: name)
            setWorker(id, .none)
            noteStartFailure(of: name, "its worker ended before the plugin was ready: \(sentence)")
        case .warm, .suspended:
            if known.runs.isEmpty {
                // Its end is most likely due to the last run that completed in it.
                let last = known.lastEnded
                note(
                    violationOf: name, last,
                    "its worker ended while nothing ran\(last.map { ", after run \($0)" } ?? ""): \(sentence)",
                    task: last.flatMap { recent.runs[$0]?.task }, outcome: .crashed)
            }
            let reason = "its worker ended while it ran: \(sentence)"
            if isLost { interruptLeased(of: id, reason) }
            endRuns(of: id, .crashed, reason)
            setWorker(id, .none)
        case .leaving:
            setWorker(id, .none)
        }
        if !listing.has(name), apps[name]?.workers.isEmpty == true { apps[name] = nil }
        // Launches that were asked for while it was leaving.
        if apps[name]?.forced.isEmpty == false { startWorker(name) }
        offer(name)
    }
}
