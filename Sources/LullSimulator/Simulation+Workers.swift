import LullModel
import LullScheduler
import LullSession
import LullWire

/// What worker processes do: read what the host wrote, start their plugins, run their handlers, and end.
extension Simulation {
    /// A worker acts on what it has read.
    mutating func obey(_ frame: HostFrame, _ app: AppIdentifier) {
        switch frame {
        case .welcome(let welcome): workers[app]?.permitsDue = Int(welcome.permits)
        case .permit(let identifier, _, _):
            if let task = TaskIdentifier(identifier) { workers[app]?.permits.append(task) }
            if let worker = workers[app], worker.waitsForPermits, worker.isIntroduced {
                finishStart(of: app)
            }
        case .launch(let run, let kind, _, _, _): begin(RunID(run), Kind(kind), app)
        case .expire(let run, _): heed(RunID(run), app)
        case .terminate: leave(app, "exited on its own with status 0", after: .milliseconds(5))
        case .submitReply(let sequence, _, _): workers[app]?.waits.remove(sequence)
        case .confine, .place, .settings, .powerMode, .expireActivities, .cancelReply,
            .pendingReply:
            break
        }
    }

    /// The process is gone, and with it its runs; the host hears of it after a while.
    mutating func leave(_ app: AppIdentifier, _ sentence: String, after wait: Duration) {
        guard let number = workers[app]?.number else { return }
        workers[app]?.phase = .leaving
        workers[app]?.runs = [:]
        workers[app]?.postponed = []
        links[app]?.toWorker.removeAll()
        agenda.add(.exited(app, worker: number, sentence), at: clock.monotonic + wait)
    }

    /// Its end is told after all that it had written.
    mutating func exited(_ app: AppIdentifier, worker number: Int, _ sentence: String) {
        guard workers[app]?.number == number, let session = links[app]?.session else { return }
        let (reason, wasStarting) = (session.reason, session.isStarting)
        hearLastWords(of: app, worker: number)
        guard workers[app]?.number == number, let link = links[app] else { return }
        workers[app] = nil
        links[app] = nil
        switch link.session.outcome(reason: reason, wasStarting: wasStarting, otherwise: sentence) {
        case .failed(let sentence): handle(.workerFailed(app, sentence: sentence))
        case .exited(let sentence): handle(.workerExited(app, sentence: sentence))
        }
    }

    mutating func finishStart(of app: AppIdentifier) {
        guard workers[app]?.isIntroduced == true else {
            workers[app]?.waitsForPermits = true
            return
        }
        workers[app]?.waitsForPermits = false
        let plugin = plugin(of: app)
        if let trouble = plugin.trouble {
            write(.failed(phase: .load, sentence: trouble), by: app)
            return leave(app, "exited on its own with status 78", after: .zero)
        }
        let number = workers[app]?.number
        if random.chance(plugin.diesInStart) {
            lastWords(of: app, nil)
            return leave(app, "ended by signal 11 (SIGSEGV)", after: .zero)
        }
        let permits = workers[app]?.permits ?? []
        for task in plugin.registers ?? permits where permits.contains(task) {
            write(.registered(identifier: task.text), by: app)
        }
        for model in plugin.submitsOnStart where workers[app]?.number == number {
            submit(model.submission(of: app, at: clock.wall), by: app)
        }
        guard workers[app]?.number == number, workers[app]?.phase == .starting else { return }
        workers[app]?.hasSaidHello = true
        write(.hello(Self.hello), by: app)
    }

    private mutating func begin(_ run: RunID, _ kind: Kind, _ app: AppIdentifier) {
        guard let number = workers[app]?.number, let task = workers[app]?.runs[run]?.task else {
            return
        }
        let model = handler(of: task)
        workers[app]?.runs[run]?.hasBegun = true
        let length = Int64.random(in: model.milliseconds, using: &random)
        let end = clock.monotonic + .milliseconds(max(2, length))
        if random.chance(model.hangsInLaunch) {
            workers[app]?.runs[run]?.hangs = true
            return
        }
        agenda.add(.returned(run, app, worker: number), at: clock.monotonic + .milliseconds(1))
        agenda.add(.submits(run, app, worker: number), at: clock.monotonic + .milliseconds(1))
        if kind == .continued {
            agenda.add(.progresses(run, app, worker: number, 1), at: clock.monotonic + .seconds(20))
        }
        if random.chance(model.hangs) {
            workers[app]?.runs[run]?.hangs = true
        } else if random.chance(model.crashes) {
            agenda.add(.crashes(run, app, worker: number), at: end)
        } else {
            agenda.add(
                .completes(run, app, worker: number, success: !random.chance(model.fails)), at: end)
        }
        guard world.wire.strays > 0, wire.chance(world.wire.strays) else { return }
        let moment = Int64.random(in: 1...max(1, length), using: &wire)
        agenda.add(.strays(run, app, worker: number), at: clock.monotonic + .milliseconds(moment))
    }

    private mutating func heed(_ run: RunID, _ app: AppIdentifier) {
        // Its completion may be on its way.
        guard let worker = workers[app], let known = worker.runs[run], known.isAtWork, !known.hangs
        else {
            return
        }
        let wait = Int64.random(in: handler(of: known.task).heedsExpirationMilliseconds, using: &random)
        agenda.add(
            .completes(run, app, worker: worker.number, success: false),
            at: clock.monotonic + .milliseconds(wait))
    }

    mutating func handlerSubmits(_ run: RunID, _ app: AppIdentifier) {
        guard let number = workers[app]?.number, let task = workers[app]?.runs[run]?.task else {
            return
        }
        let model = handler(of: task)
        for wish in model.submits where workers[app]?.number == number {
            submit(wish.submission(of: app, at: clock.wall), by: app)
        }
        if workers[app]?.number == number, random.chance(model.cancels),
            let sequence = workers[app]?.makeSequence()
        {
            let identifier = random.chance(0.5) ? task.text : nil
            write(.cancel(sequence: sequence, identifier: identifier), by: app)
        }
        if workers[app]?.number == number, world.wire.bursts > 0, wire.chance(world.wire.bursts) {
            burst(task, by: app)
        }
    }

    mutating func complete(_ run: RunID, _ app: AppIdentifier, _ success: Bool) {
        guard let number = workers[app]?.number, let task = workers[app]?.runs[run]?.task else {
            return
        }
        workers[app]?.runs[run]?.isDone = true
        write(.completed(run: run.number, success: success), by: app)
        guard workers[app]?.number == number, workers[app]?.phase != .leaving,
            random.chance(handler(of: task).completesTwice)
        else { return }
        write(.completed(run: run.number, success: success), by: app)
    }
}
