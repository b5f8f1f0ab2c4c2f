import LullModel
import LullScheduler

/// Checks that the log comes first, that callers can rely on their answers, and that each kill has a cause.
extension Invariants {
    /// An effect that is carried out now.
    mutating func note(_ effect: Effect, of frame: Frame) {
        switch effect {
        case .launch(let launch):
            if announced.remove(launch.run) == nil, !over.contains(launch.run) {
                fault("run \(launch.run) is launched before it is recorded, or twice")
            }
        case .expire(let run, _, _):
            if running[run] == nil, !over.contains(run) {
                fault("run \(run) is expired and was never launched")
            }
        case .reply(let token, let reply): note(reply, to: token)
        case .startWorker(let worker): checkStart(of: worker.app, frame)
        case .deliver(let delivery): deliver(delivery)
        case .beginTransfer(let app, let start):
            for sentence in transfers.begin(start, of: app, frame) { fault(sentence) }
        case .stopTransfer(_, let id, _): if let sentence = transfers.stop(id) { fault(sentence) }
        case .removeTransferFiles(_, let stem, _):
            if let sentence = transfers.remove(stem) { fault(sentence) }
        case .tellTransfers, .ping, .killWorker, .record, .comparePlugin, .resumeWorker, .suspendWorker,
            .evictWorker, .arm,
            .sample, .askFleet, .keepWorker,
            .finished:
            break
        }
    }

    private mutating func note(_ reply: Reply, to token: Token) {
        if let sentence = notifications.answered(token, isDone: reply == .done("")) { fault(sentence) }
        launching[token] = nil
        insteads.remove(token)
        if case .accepted(let request, _) = reply { accepted[token] = request }
        // The shell drops the answer.
        if withdrawn.contains(token) { return }
        if unanswered.remove(token) == nil { fault("\(token) is answered twice") }
        switch reply {
        case .accepted(let request, _):
            acknowledged.insert(request)
            if pending[request] == nil, !ended.contains(request) {
                fault("request \(request) is acknowledged before it is recorded")
            }
            checkWish(token, request)
            checkPushed(token, request)
        case .launched(let run, _):
            if running[run] == nil, !over.contains(run) {
                fault("run \(run) is acknowledged before it is recorded")
            }
        case .refused(let refusal):
            if refusal.sentence.isEmpty { fault("\(token) is refused without a reason") }
        case .transfer(let id):
            if !transfers.isKnown(id) { fault("\(id) is acknowledged before it is recorded") }
        case .done, .unchanged: break
        }
    }

    /// Checks that the accepted request is the one that was asked for.
    private mutating func checkWish(_ token: Token, _ id: RequestID) {
        guard let wish = submissions.removeValue(forKey: token), let request = pending[id] else { return }
        if request.task != wish.task || wish.app.map({ $0 != request.app }) ?? false
            || wish.kind.map({ $0 != request.kind }) ?? false
            // Somebody waits for a continued task: it has no begin date.
            || request.kind != .continued && request.earliestBegin != wish.earliestBegin
            || request.requires != wish.requires
            || (wish.app == nil) != (request.origin == .operator)
        {
            fault("request \(id) is not what was asked for")
        }
    }

    /// After everything of a frame was carried out.
    mutating func carriedOut(_ frame: Frame) {
        guard let token = frame.about.withdrawn else { return }
        if let request = accepted[token], pending[request] != nil {
            fault("request \(request) waits, and whoever submitted it was told that it failed")
        }
    }

    /// An idle app's plugin is not even loaded.
    private mutating func checkStart(of name: AppIdentifier, _ frame: Frame) {
        guard let app = frame.manifest.apps.first(where: { $0.identifier == name }) else {
            return fault("\(name) is started, and the manifest does not list it")
        }
        let isAsked =
            launching.values.contains(name)
            // Somebody may have waited for a continued task or an urgent push when it was decided.
            || continued.contains(name) || urgent.contains(name) || transfers.hasAsked(name)
        if !isAsked, let spent = idleness.excess(of: app, at: frame.now.wall, by: frame.clock) {
            fault("\(name) is started \(spent.milliseconds) ms after it became idle")
        }
    }

    /// A launch has the settings of the manifest that was in force when it was decided, whatever other runs of its app go on.
    mutating func check(_ launch: Launch, in entry: App?, _ frame: Frame) {
        let app = frame.manifest.apps.first { $0.identifier == launch.app }
        guard let app, let entry, !Self.isSame(app, entry) else { return }
        fault("\(launch.task) is launched with settings that are no longer in force")
    }

    private static func isSame(_ app: App, _ other: App) -> Bool {
        app.plugin == other.plugin && app.settings == other.settings
            && app.tasks.map(\.identifier) == other.tasks.map(\.identifier)
            && app.tasks.map(\.kind) == other.tasks.map(\.kind)
            && app.tasks.map(\.settings) == other.tasks.map(\.settings)
    }

    /// Checks that a handler has the time that it was promised.
    mutating func check(
        killed worker: VirtualWorker, of app: AppIdentifier, _ reason: String, at now: MonotonicTime
    ) {
        if worker.mustGo { return }
        if worker.phase == .starting {
            if now - worker.began < Limits.startWait {
                fault("\(app) is killed before its plugin had time to start")
            }
            return
        }
        if !worker.runs.values.contains(where: { isOverdue($0, at: now) }) {
            fault("the worker of \(app) is killed without a cause: \(reason)")
        }
    }

    /// No handler has more time than its limit and its grace, whatever can't be written meanwhile.
    mutating func checkAges(of workers: [WorkerID: VirtualWorker], at clock: VirtualClock) {
        for (name, worker) in workers where worker.phase != .leaving {
            for (id, run) in worker.runs {
                guard let most = run.most, clock.monotonic - run.began > most + Self.lateEnd else { continue }
                let age = (clock.monotonic - run.began).milliseconds
                fault("run \(id) of \(name) is alive after \(age) ms, and may take \(most.milliseconds) ms")
            }
        }
    }

    /// How late a due action may be.
    private static let lateEnd: Duration = .seconds(1)

    /// Whether its grace is over, or its launch function has not returned in time.
    func isOverdue(_ run: VirtualWorker.Run, at now: MonotonicTime) -> Bool {
        if let expired = run.expired {
            let grace = manifest.tasks.first { $0.identifier == run.task }?.grace ?? .zero
            if now - expired >= grace { return true }
        }
        return !run.hasReturned && now - run.began >= Limits.launchReturnWait
    }

    /// Checks that the durable and the decided state are the same, once nothing is on its way.
    mutating func check(_ state: SchedulerState, durable: Ledger, handled: Int) {
        let waiting = state.pending(of: nil).map(\.id)
        if waiting.count != pending.count || waiting.contains(where: { pending[$0] == nil }) {
            fault("pending are \(waiting.sorted()), and the records say \(pending.keys.sorted())")
        }
        if let sentence = notifications.check(state.ledger.notifications) { fault(sentence) }
        for sentence in transfers.check(state) { fault(sentence) }
        // The whole ledger is large: now and then is enough to find where the fold and the state part.
        if handled % 64 == 0, state.ledger != durable {
            fault("the ledger is not the fold of what was recorded")
        }
    }

    /// Checks that a host begins after a crash with all that was acknowledged.
    mutating func check(restored: Ledger, durable: Ledger) {
        let waiting = Set(
            restored.tasks.values.flatMap { [$0.pending?.id, $0.following?.id].compactMap(\.self) })
        let lost = acknowledged.filter { !waiting.contains($0) && !ended.contains($0) }
        if !lost.isEmpty { fault("the log has lost the acknowledged requests \(lost.sorted())") }
        if waiting != Set(pending.keys) {
            fault("the log gives back the requests \(waiting.sorted()), of \(pending.keys.sorted())")
        }
        if Set(restored.runs.keys) != Set(running.keys) {
            fault("the log gives back the runs \(restored.runs.keys.sorted()), of \(running.keys.sorted())")
        }
        if restored != durable { fault("the checkpoint and what follows it are not the fold of the log") }
    }
}
