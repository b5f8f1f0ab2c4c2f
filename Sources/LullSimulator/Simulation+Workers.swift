import LullModel
import LullScheduler

/// What comes due: workers that go on by themselves, the disk, and whoever stops waiting.
extension Simulation {
    /// Of a worker that is gone, nothing.
    mutating func carryOn(_ matter: Agenda.Matter) {
        switch matter {
        case .started(let app, let number):
            if workers[app]?.number == number, workers[app]?.phase == .starting { finishStart(of: app) }
        case .exited(let app, let number, let sentence):
            guard workers[app]?.number == number else { return }
            workers[app] = nil
            handle(.workerExited(app, sentence: sentence))
        case .returned(let run, let number):
            guard let app = workers.first(where: { $0.value.number == number })?.key,
                workers[app]?.runs[run] != nil
            else { return }
            workers[app]?.runs[run]?.hasReturned = true
            handle(.launchReturned(run))
        case .submits(let run, let app, let number): handlerSubmits(run, app, number)
        case .progresses(let run, let app, let number, let count):
            guard workers[app]?.number == number, let known = workers[app]?.runs[run], !known.hangs else {
                return
            }
            handle(.progressed(run, .counted(completed: count, total: 0)))
            agenda.add(.progresses(run, app, worker: number, count + 1), at: clock.monotonic + .seconds(20))
        case .completes(let run, let app, let number, let success): complete(run, app, number, success)
        case .crashes(let run, let app, let number):
            guard workers[app]?.number == number, workers[app]?.runs[run] != nil else { return }
            leave(app, "ended by signal 6 (SIGABRT)", after: .zero)
        case .withdrawn(let token, let isLate):
            guard isLate || invariants.isUnanswered(token) else { return }
            invariants.withdraw(token)
            about.withdrawn = token
            handle(.withdrawn(reply: token))
        case .samples: takeSample()
        case .pinged(let name, let host): if host == hosts { handle(.pinged(name, trouble: nil)) }
        case .delivered(let notice, let host, let trouble):
            if host == hosts { handle(.delivered(notice, trouble: trouble)) }
        case .written: finishWrite()
        case .mustHaveFinished:
            guard let down = startsAgain else { return }
            if disk.isFullUntil < clock.trueTime - .minutes(2), disk.failures == 0 {
                invariants.fault("the host was told to end, and has not after two minutes")
                takeFaults()
            }
            restart(down: down)
        }
    }

    /// The process is gone, and with it its runs; the host hears of it after a while.
    mutating func leave(_ app: AppIdentifier, _ sentence: String, after wait: Duration) {
        guard let number = workers[app]?.number else { return }
        workers[app]?.phase = .leaving
        workers[app]?.runs = [:]
        agenda.add(.exited(app, worker: number, sentence), at: clock.monotonic + wait)
    }

    private mutating func finishStart(of app: AppIdentifier) {
        let plugin = plugin(of: app)
        if let trouble = plugin.trouble {
            workers[app] = nil
            handle(.workerFailed(app, sentence: trouble))
            return
        }
        let number = workers[app]?.number
        if random.chance(plugin.diesInStart) {
            return leave(app, "ended by signal 11 (SIGSEGV)", after: .zero)
        }
        for model in plugin.submitsOnStart where workers[app]?.number == number {
            submit(model.submission(of: app, at: clock.wall))
        }
        guard workers[app]?.number == number, workers[app]?.phase == .starting else { return }
        workers[app]?.phase = .warm
        if let began = workers[app]?.began, clock.monotonic - began >= Limits.startWait {
            workers[app]?.isLate = true
        }
        let tasks = manifest.tasks.filter { $0.app == app }.map(\.identifier)
        handle(.workerReady(app, registered: plugin.registers ?? tasks))
    }

    private mutating func handlerSubmits(_ run: RunID, _ app: AppIdentifier, _ number: Int) {
        guard workers[app]?.number == number, let task = workers[app]?.runs[run]?.task else { return }
        let model = handler(of: task)
        for wish in model.submits where workers[app]?.number == number {
            submit(wish.submission(of: app, at: clock.wall))
        }
        if workers[app]?.number == number, random.chance(model.cancels) {
            handle(.cancelled(app, random.chance(0.5) ? task : nil, reply: nil))
        }
    }

    private mutating func complete(_ run: RunID, _ app: AppIdentifier, _ number: Int, _ success: Bool) {
        guard workers[app]?.number == number, let known = workers[app]?.runs.removeValue(forKey: run) else {
            return
        }
        if invariants.isOverdue(known, at: clock.monotonic) { workers[app]?.isLate = true }
        handle(.completed(run, success: success, summary: success ? "done" : "could not do it"))
        guard workers[app]?.number == number, workers[app]?.phase != .leaving,
            random.chance(handler(of: known.task).completesTwice)
        else { return }
        // The worker's own check: of a run that is none of its open ones, nothing is believed.
        invariants.willBeKilled(app, true)
        handle(
            .violation(
                app, nil, sentence: "It completed run \(run), which is none of its open runs.", isFatal: true)
        )
    }
}
