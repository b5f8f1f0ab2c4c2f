import LullModel
import LullScheduler

/// What comes due: workers that go on by themselves, the disk, and whoever stops waiting.
extension Simulation {
    mutating func carryOn(_ matter: Agenda.Matter) {
        if let (app, worker) = matter.actor {
            // Of a worker that is gone, nothing; one that is stopped goes on with it later.
            guard workers[app]?.number == worker, let phase = workers[app]?.phase, phase != .leaving
            else {
                return
            }
            if phase == .suspended { workers[app]?.postponed.append(matter) } else { act(matter) }
            return
        }
        switch matter {
        case .exited(let app, let number, let sentence): exited(app, worker: number, sentence)
        case .heard(let app, let number):
            if workers[app]?.number == number {
                hearNext(of: app, worker: number, upTo: clock.monotonic)
            }
        case .read(let app, let number): if workers[app]?.number == number { readNext(by: app) }
        case .suspends(let app, let number): if workers[app]?.number == number { trySuspend(app) }
        case .mustHaveEnded(let app, let number):
            if workers[app]?.number == number { end(app, "it did not end when it was told to") }
        case .withdrawn(let token, let isLate):
            if isLate || invariants.isUnanswered(token) { withdraw(token) }
        case .samples: takeSample()
        case .pinged(let name, let host): if host == hosts { handle(.pinged(name, trouble: nil)) }
        case .delivered(let notice, let host, let trouble):
            if host == hosts { handle(.delivered(notice, trouble: trouble)) }
        case .written: finishWrite()
        case .mustHaveFinished:
            guard let down = startsAgain else { return }
            if max(disk.isFullUntil, disk.hangsUntil) < clock.trueTime - .minutes(2), disk.failures == 0 {
                invariants.fault("the host was told to end, and has not after two minutes")
                takeFaults()
            }
            restart(down: down)
        case .started, .returned, .submits, .completes, .crashes, .progresses, .givesUp, .strays: break
        }
    }

    /// What a process that lives does by itself.
    private mutating func act(_ matter: Agenda.Matter) {
        switch matter {
        case .started(let app, _):
            if workers[app]?.hasSaidHello == false { finishStart(of: app) }
        case .returned(let run, let app, _):
            if isAtWork(run, app) { write(.launchReturned(run: run.number), by: app) }
        case .submits(let run, let app, _): if isAtWork(run, app) { handlerSubmits(run, app) }
        case .progresses(let run, let app, let number, let count):
            guard isAtWork(run, app), workers[app]?.runs[run]?.hangs == false else { return }
            write(.progress(run: run.number, completed: count, total: 0, message: ""), by: app)
            agenda.add(
                .progresses(run, app, worker: number, count + 1), at: clock.monotonic + .seconds(20))
        case .completes(let run, let app, _, let success):
            if isAtWork(run, app) { complete(run, app, success) }
        case .crashes(let run, let app, _):
            guard isAtWork(run, app) else { return }
            lastWords(of: app, run)
            if workers[app]?.phase != .leaving { leave(app, "ended by signal 6 (SIGABRT)", after: .zero) }
        case .strays(let run, let app, _): if isAtWork(run, app) { stray(run, app) }
        case .givesUp(let app, _, let sequence, let isLate): giveUp(sequence, app, isLate: isLate)
        default: break
        }
    }

    private func isAtWork(_ run: RunID, _ app: AppIdentifier) -> Bool {
        workers[app]?.runs[run]?.isAtWork == true
    }
}
