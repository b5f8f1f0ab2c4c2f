import LullModel
import LullScheduler

/// What must hold after each event, whatever the world does; what does not is a fault of the scheduler.
///
/// It reads the records and effects alone and shares no code with the scheduler: a second opinion.
struct Invariants: Sendable {
    private struct Run: Sendable {
        var task: TaskIdentifier
        var app: AppIdentifier
    }
    private struct Fresh: Sendable {
        var launch: Launch
        var request: TaskRequest?
    }

    var manifest: Manifest
    var idleness: IdlenessWatch
    private let zones: Zones
    private var faults: [String] = []

    private var unanswered: Set<Token> = []
    /// Requests that wait; the others have ended.
    private var pending: [RequestID: TaskRequest] = [:]
    private var ended: Set<RequestID> = []
    private var running: [RunID: Run] = [:]
    private var over: Set<RunID> = []
    /// Recorded as launched, and not yet launched.
    private var announced: [RunID: TaskRequest?] = [:]
    private var refreshes: [AppIdentifier: WallTime] = [:]
    /// True times of refresh launches by the scheduler's own choice.
    private var spent: [WallTime] = []
    /// Of the event that is being handled.
    private var fresh: [Fresh] = []
    private var byOperator: Set<RunID> = []

    init(manifest: Manifest, zones: Zones, history: [HistoryEvent]) {
        self.manifest = manifest
        self.zones = zones
        idleness = IdlenessWatch(manifest: manifest)
        for event in history { record(event) }
        announced = [:]
        faults = []
        idleness.begin()
    }

    mutating func fault(_ sentence: String) { faults.append(sentence) }

    mutating func takeFaults(at clock: VirtualClock, seed: UInt64) -> [String] {
        defer { faults = [] }
        return faults.map { "seed \(seed), \(clock.wall.milliseconds) ms: \($0)" }
    }

    mutating func willAnswer(_ token: Token) { unanswered.insert(token) }
    mutating func withdraw(_ token: Token) { unanswered.remove(token) }
    func isUnanswered(_ token: Token) -> Bool { unanswered.contains(token) }
    mutating func dropUnanswered() { unanswered = [] }

    /// What the log says goes on; who waited for an answer is gone.
    mutating func hostDied() {
        unanswered = []
        announced = [:]
        fresh = []
        byOperator = []
    }

    /// Spans between readings of the wall clock before and after are no spans of time.
    mutating func clockWasSet() {
        refreshes = [:]
        spent = []
        idleness.clockWasSet()
    }

    mutating func note(_ effect: Effect) {
        switch effect {
        case .record(let event): record(event)
        case .launch(let launch):
            guard let request = announced.removeValue(forKey: launch.run) else {
                return fault("run \(launch.run) is launched before it is recorded, or twice")
            }
            fresh.append(Fresh(launch: launch, request: request))
        case .expire(let run, _, _):
            if running[run] == nil { fault("run \(run) is expired and does not run") }
        case .reply(let token, let reply):
            if unanswered.remove(token) == nil {
                fault("\(token) is answered twice, or after it was withdrawn")
            }
            if case .accepted(let request) = reply, pending[request] == nil, !ended.contains(request) {
                fault("request \(request) is acknowledged before it is recorded")
            }
            if case .launched(let run) = reply {
                byOperator.insert(run)
                if running[run] == nil && !over.contains(run) {
                    fault("run \(run) is acknowledged before it is recorded")
                }
            }
        case .startWorker, .resumeWorker, .suspendWorker, .evictWorker, .killWorker, .arm, .sample, .finished:
            break
        }
    }

    private mutating func record(_ event: HistoryEvent) {
        for sentence in idleness.note(event) { fault(sentence) }
        switch event.event {
        case .submitted: submitted(event)
        case .replaced, .merged, .cancelled, .givenUp:
            guard let request = event.request else { return fault("\(event.event) without a request") }
            end(request, event.event)
        case .launched:
            guard let run = event.run, let task = event.task else {
                return fault("launched without a run or a task")
            }
            if running[run] != nil || over.contains(run) { fault("run \(run) is launched twice") }
            running[run] = Run(task: task, app: event.app)
            announced.updateValue(event.request.flatMap { pending[$0] }, forKey: run)
            if let request = event.request { end(request, .launched) }
        case .completed, .failed, .interrupted:
            guard let run = event.run else { return }
            if running.removeValue(forKey: run) == nil {
                fault(
                    "run \(run) ends as \(event.event)\(over.contains(run) ? " a second time" : " and was never launched")"
                )
            }
            if event.outcome == nil { fault("run \(run) ends without an outcome") }
            over.insert(run)
        case .used, .discovered, .refused, .deferred, .expired, .idleSoon, .idled, .revived, .enabled,
            .disabled,
            .violation, .absent, .conditions:
            break
        }
    }

    private mutating func submitted(_ event: HistoryEvent) {
        guard let id = event.request, let task = event.task, let kind = event.kind else {
            return fault("a request is recorded without its number, task or kind")
        }
        if pending[id] != nil || ended.contains(id) { fault("request \(id) is submitted twice") }
        pending[id] = TaskRequest(
            id: id, task: task, app: event.app, kind: kind, origin: event.origin ?? .operator,
            submitted: event.time,
            earliestBegin: event.earliestBegin, requires: event.requires ?? .none)
    }

    private mutating func end(_ request: RequestID, _ name: HistoryEvent.Name) {
        if pending.removeValue(forKey: request) == nil {
            fault(
                "request \(request) ends as \(name)\(ended.contains(request) ? " a second time" : " and was never made")"
            )
        }
        ended.insert(request)
    }
}

extension Invariants {
    /// After an event was handled and its effects were carried out.
    mutating func check(
        _ state: SchedulerState, durable: Ledger, now: Now, clock: VirtualClock, conditions: Conditions,
        handled: Int
    ) {
        for fresh in fresh where !byOperator.contains(fresh.launch.run) {
            checkLaunch(fresh.launch, fresh.request, now: now, conditions: conditions)
            checkSpending(fresh.launch, clock: clock)
        }
        fresh = []
        byOperator = []
        checkQuotas()
        checkPending(state)
        // The whole ledger is large: now and then is enough to find where the fold and the state part.
        if handled % 32 == 0, state.ledger != durable {
            fault("the ledger is not the fold of what was recorded")
        }
    }

    private mutating func checkPending(_ state: SchedulerState) {
        let waiting = state.pending(of: nil).map(\.id)
        if Set(waiting) != Set(pending.keys) || waiting.count != pending.count {
            fault("pending are \(waiting.sorted()), and the records say \(pending.keys.sorted())")
        }
        let tasks = pending.values.map(\.task)
        if Set(tasks).count != tasks.count { fault("a task has two pending requests") }
    }

    private mutating func checkQuotas() {
        var counts: [AppIdentifier: (refresh: Int, processing: Int)] = [:]
        for request in pending.values where request.origin == .plugin {
            switch request.kind {
            case .refresh: counts[request.app, default: (0, 0)].refresh += 1
            case .processing: counts[request.app, default: (0, 0)].processing += 1
            case .continued: break
            }
        }
        for (app, count) in counts.sorted(by: { $0.key < $1.key }) {
            if count.refresh > Limits.pendingRefreshRequests
                || count.processing > Limits.pendingProcessingRequests
            {
                fault(
                    "\(app) has \(count.refresh) refresh and \(count.processing) processing requests pending")
            }
        }
    }

    private mutating func checkLaunch(
        _ launch: Launch, _ request: TaskRequest?, now: Now, conditions: Conditions
    ) {
        guard let app = manifest.apps.first(where: { $0.identifier == launch.app }),
            let task = app.tasks.first(where: { $0.identifier == launch.task })
        else { return fault("\(launch.task) is launched, and the manifest does not permit it") }
        if !app.enabled || !task.enabled { fault("\(launch.task) is launched while it is disabled") }
        if !launch.kind.isPermitted(under: task.kind) {
            fault("\(launch.task) is launched as \(launch.kind)")
        }
        if let begin = request?.earliestBegin, begin > now.wall {
            fault("\(launch.task) is launched before its begin date")
        }

        if launch.kind != .continued, let spent = idleness.excess(of: app, at: now.wall) {
            fault("\(launch.task) is launched \(spent.milliseconds) ms after its app became idle")
        }
        if running.count > manifest.hostConcurrency { fault("\(running.count) runs at once on the host") }
        let ofApp = running.values.filter { $0.app == app.identifier }.count
        if ofApp > app.concurrency { fault("\(ofApp) runs of \(app.identifier) at once") }
        let ofTask = running.values.filter { $0.task == task.identifier }.count
        if ofTask > task.concurrency { fault("\(ofTask) runs of \(task.identifier) at once") }

        let requires = task.requires.adding(request?.requires ?? .none)
        if requires.externalPower, conditions.externalPower.value != true {
            fault("\(launch.task) is launched on battery")
        }
        if requires.network != nil, conditions.network.value == Conditions.Network.none {
            fault("\(launch.task) is launched without network")
        }
        if requires.network == .unmetered, conditions.network.value == .metered {
            fault("\(launch.task) is launched on a metered network")
        }
        if !task.windows.isEmpty,
            !task.windows.contains(where: { isOpen($0, zones[task.timezone].local(now.wall)) })
        {
            fault("\(launch.task) is launched outside its windows")
        }
    }

    private func isOpen(_ window: Window, _ local: LocalTime) -> Bool {
        let minute = local.secondOfDay / 60
        func isDay(_ day: Int) -> Bool { window.days.isEmpty || window.days.contains(day) }
        if window.closes > window.opens {
            return isDay(local.weekday) && (window.opens..<window.closes).contains(minute)
        }
        return isDay(local.weekday) && minute >= window.opens
            || isDay((local.weekday + 6) % 7) && minute < window.closes
    }

    /// The least gap between two refresh launches of an app, and the budget of a day.
    private mutating func checkSpending(_ launch: Launch, clock: VirtualClock) {
        guard launch.kind == .refresh,
            let task = manifest.tasks.first(where: { $0.identifier == launch.task })
        else { return }
        if let last = refreshes[launch.app], clock.trueTime - last < task.minGap {
            fault(
                "\(launch.task) is launched \((clock.trueTime - last).milliseconds) ms after a refresh of its app"
            )
        }
        refreshes[launch.app] = clock.trueTime
        // The count goes by quarter-hours, so that a day may be short of one.
        spent.removeAll { clock.trueTime - $0 >= .hours(24) - .minutes(15) }
        spent.append(clock.trueTime)
        let pot = manifest.tasks.reduce(0) { $0 + ($1.kind == .refresh ? $1.budget : 0) }
        // Where no refresh task fills the pot, a processing task that is asked for as a refresh brings its own.
        let budget = max(pot, task.budget)
        // On average the pot is spent; on no day more than twice of it.
        if Double(spent.count) > max(1, (budget * 2).rounded(.up)) {
            fault("\(spent.count) refresh launches in a day, of \(budget)")
        }
    }
}
