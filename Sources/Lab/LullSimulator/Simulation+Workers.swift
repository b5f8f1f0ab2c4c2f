import LullModel
import LullScheduler
import LullWire

/// The actions of worker processes: they read what the host wrote, start their plugins, run their handlers, and end.
extension Simulation {
    /// The oldest of an app's workers that has not ended.
    func anyWorker(of app: AppIdentifier) -> WorkerID? {
        workers.filter { $0.key.app == app && $0.value.phase != .leaving }.keys.min()
    }

    func warmWorker(of app: AppIdentifier) -> WorkerID? {
        workers.filter { $0.key.app == app && $0.value.phase == .warm }.keys.max()
    }

    /// A worker acts on what it has read.
    mutating func obey(_ frame: HostFrame, _ id: WorkerID) {
        switch frame {
        case .welcome(let welcome): workers[id]?.permitsDue = Int(welcome.permits)
        case .permit(let identifier, _, _):
            if let task = TaskIdentifier(identifier) { workers[id]?.permits.append(task) }
            if let worker = workers[id], worker.waitsForPermits, worker.isIntroduced {
                finishStart(of: id)
            }
        case .launch(let run, let kind, _, _, _, _, _): begin(RunID(run), Kind(kind), id)
        case .expire(let run, _): heed(RunID(run), id)
        case .terminate: leave(id, "exited on its own with status 0", after: .milliseconds(5))
        case .submitReply(let sequence, _, _), .transferReply(let sequence, _, _, _):
            workers[id]?.waits.remove(sequence)
        case .confine, .place, .settings, .powerMode, .expireActivities, .printOn, .cancelReply,
            .pendingReply, .notificationsReply, .transfersReply, .transferNews:
            break
        }
    }

    /// The process is gone, and with it its runs; the host learns of it after a while.
    mutating func leave(_ id: WorkerID, _ sentence: String, after wait: Duration) {
        guard let number = workers[id]?.number else { return }
        workers[id]?.phase = .leaving
        workers[id]?.runs = [:]
        workers[id]?.postponed = []
        links[id]?.toWorker.removeAll()
        agenda.add(.exited(id, worker: number, sentence), at: clock.monotonic + wait)
    }

    /// Reports the end of a process, after all that it had written.
    mutating func exited(_ id: WorkerID, worker number: Int, _ sentence: String) {
        guard workers[id]?.number == number, let session = links[id]?.session else { return }
        let (reason, wasStarting) = (session.reason, session.isStarting)
        hearLastWords(of: id, worker: number)
        guard workers[id]?.number == number, let link = links[id] else { return }
        workers[id] = nil
        links[id] = nil
        take(link.session.outcome(reason: reason, wasStarting: wasStarting, otherwise: sentence), of: id)
    }

    mutating func finishStart(of id: WorkerID) {
        guard workers[id]?.isIntroduced == true else {
            workers[id]?.waitsForPermits = true
            return
        }
        workers[id]?.waitsForPermits = false
        let plugin = plugin(of: id.app)
        if let trouble = plugin.trouble {
            write(.failed(phase: .load, sentence: trouble), by: id)
            return leave(id, "exited on its own with status 78", after: .zero)
        }
        let number = workers[id]?.number
        if random.chance(plugin.diesInStart) {
            lastWords(of: id, nil)
            return leave(id, "ended by signal 11 (SIGSEGV)", after: .zero)
        }
        let permits = workers[id]?.permits ?? []
        for task in plugin.registers ?? permits where permits.contains(task) {
            write(.registered(identifier: task.text), by: id)
        }
        for model in plugin.submitsOnStart where workers[id]?.number == number {
            submit(model.submission(of: id.app, at: clock.wall), by: id)
        }
        guard workers[id]?.number == number, workers[id]?.phase == .starting else { return }
        workers[id]?.hasSaidHello = true
        workers[id]?.runsAlone = plugin.runsAlone
        write(.hello(Self.hello(plugin)), by: id)
        guard !plugin.submitsLater.isEmpty, let number = workers[id]?.number else { return }
        let wait = Int64.random(in: plugin.laterMilliseconds, using: &wire)
        agenda.add(.submitsLater(id, worker: number), at: clock.monotonic + .milliseconds(wait))
    }

    private mutating func begin(_ run: RunID, _ kind: Kind, _ id: WorkerID) {
        guard let number = workers[id]?.number, let task = workers[id]?.runs[run]?.task else {
            return
        }
        let model = handler(of: task)
        workers[id]?.runs[run]?.hasBegun = true
        if let past = model.past.nearest(to: clock.wall) {
            agenda.add(.returned(run, id, worker: number), at: clock.monotonic + .milliseconds(1))
            guard let length = past.length else { return }
            let end = clock.monotonic + max(length, .milliseconds(2))
            return agenda.add(.completes(run, id, worker: number, success: past.succeeds), at: end)
        }
        let length = Int64.random(in: model.milliseconds, using: &random)
        let end = clock.monotonic + .milliseconds(max(2, length))
        if random.chance(model.hangsInLaunch) {
            workers[id]?.runs[run]?.hangs = true
            return
        }
        if kind == .push, random.chance(model.reports) {
            write(.reported(run: run.number, text: "Somebody calls."), by: id)
        }
        agenda.add(.returned(run, id, worker: number), at: clock.monotonic + .milliseconds(1))
        agenda.add(.submits(run, id, worker: number), at: clock.monotonic + .milliseconds(1))
        if kind == .continued {
            agenda.add(.progresses(run, id, worker: number, 1), at: clock.monotonic + .seconds(20))
        }
        if random.chance(model.hangs) {
            workers[id]?.runs[run]?.hangs = true
        } else if random.chance(model.crashes) {
            agenda.add(.crashes(run, id, worker: number), at: end)
        } else {
            agenda.add(
                .completes(run, id, worker: number, success: !random.chance(model.fails)), at: end)
        }
        guard world.wire.strays > 0, wire.chance(world.wire.strays) else { return }
        let moment = Int64.random(in: 1...max(1, length), using: &wire)
        agenda.add(.strays(run, id, worker: number), at: clock.monotonic + .milliseconds(moment))
    }

    private mutating func heed(_ run: RunID, _ id: WorkerID) {
        // Its completion may be on its way.
        guard let worker = workers[id], let known = worker.runs[run], known.isAtWork, !known.hangs
        else {
            return
        }
        let wait = Int64.random(in: handler(of: known.task).heedsExpirationMilliseconds, using: &random)
        agenda.add(
            .completes(run, id, worker: worker.number, success: false),
            at: clock.monotonic + .milliseconds(wait))
    }

    mutating func handlerSubmits(_ run: RunID, _ id: WorkerID) {
        guard let number = workers[id]?.number, let task = workers[id]?.runs[run]?.task else {
            return
        }
        let model = handler(of: task)
        for wish in model.submits where workers[id]?.number == number {
            submit(wish.submission(of: id.app, at: clock.wall), by: id)
        }
        if workers[id]?.number == number, random.chance(model.cancels),
            let sequence = workers[id]?.makeSequence()
        {
            let identifier = random.chance(0.5) ? task.text : nil
            write(.cancel(sequence: sequence, identifier: identifier), by: id)
        }
        if workers[id]?.number == number, world.wire.bursts > 0, wire.chance(world.wire.bursts) {
            burst(task, by: id)
        }
    }

    mutating func complete(_ run: RunID, _ id: WorkerID, _ success: Bool) {
        guard let number = workers[id]?.number, let task = workers[id]?.runs[run]?.task else {
            return
        }
        if success, task == TransferRules.task(of: id.app) { takeTransfers(of: id.app) }
        guard workers[id]?.number == number else { return }
        workers[id]?.runs[run]?.isDone = true
        write(.completed(run: run.number, success: success), by: id)
        guard workers[id]?.number == number, workers[id]?.phase != .leaving,
            random.chance(handler(of: task).completesTwice)
        else { return }
        write(.completed(run: run.number, success: success), by: id)
    }
}
