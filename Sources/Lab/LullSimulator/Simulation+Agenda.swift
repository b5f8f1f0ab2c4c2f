import LullModel
import LullScheduler

/// Matters that come due: of workers, of the disk, and of callers that stop waiting.
extension Simulation {
    mutating func carryOn(_ matter: Agenda.Matter) {
        if let (id, worker) = matter.actor {
            // A worker that is gone does nothing; one that is suspended goes on with it later.
            guard workers[id]?.number == worker, let phase = workers[id]?.phase, phase != .leaving
            else {
                return
            }
            if phase == .suspended { workers[id]?.postponed.append(matter) } else { act(matter) }
            return
        }
        switch matter {
        case .exited(let id, let number, let sentence): exited(id, worker: number, sentence)
        case .heard(let id, let number):
            if workers[id]?.number == number {
                hearNext(of: id, worker: number, upTo: clock.monotonic)
            }
        case .read(let id, let number): if workers[id]?.number == number { readNext(by: id) }
        case .suspends(let id, let number): if workers[id]?.number == number { trySuspend(id) }
        case .mustHaveEnded(let id, let number):
            if workers[id]?.number == number { end(id, "it did not end when told to") }
        case .withdrawn(let token, let isLate):
            if isLate || invariants.isUnanswered(token) { withdraw(token) }
        case .samples: takeSample()
        case .pinged(let name, let host): if host == hosts { handle(.pinged(name, trouble: nil)) }
        case .delivered(let notice, let host, let trouble):
            if host == hosts { handle(.delivered(notice, trouble: trouble)) }
        case .transferred(let id, let attempt, let host): transferred(id, attempt: attempt, host: host)
        case .answered(let number, let answer, let host):
            if host == hosts { handle(.fleet(.answered(number, answer))) }
        case .written: finishWrite()
        case .mustHaveFinished:
            guard let down = startsAgain else { return }
            let isWell =
                disk.isFullUntil < clock.trueTime - Self.endWait
                && disk.hangsUntil < clock.awake - Self.endWait && disk.failures == 0
            if isWell {
                invariants.fault("the host was told to end, and has not after two minutes")
                takeFaults()
            }
            restart(down: down)
        case .started, .returned, .submits, .submitsLater, .completes, .crashes, .progresses, .givesUp,
            .strays:
            break
        }
    }

    /// An action of a worker process that lives.
    private mutating func act(_ matter: Agenda.Matter) {
        switch matter {
        case .started(let id, _):
            if workers[id]?.hasSaidHello == false { finishStart(of: id) }
        case .returned(let run, let id, _):
            if isAtWork(run, id) { write(.launchReturned(run: run.number), by: id) }
        case .submits(let run, let id, _): if isAtWork(run, id) { handlerSubmits(run, id) }
        case .submitsLater(let id, let number):
            for wish in plugin(of: id.app).submitsLater where workers[id]?.number == number {
                submit(wish.submission(of: id.app, at: clock.wall), by: id)
            }
        case .progresses(let run, let id, let number, let count):
            guard isAtWork(run, id), workers[id]?.runs[run]?.hangs == false else { return }
            write(.progress(run: run.number, completed: count, total: 0, message: ""), by: id)
            agenda.add(
                .progresses(run, id, worker: number, count + 1), at: clock.monotonic + .seconds(20))
        case .completes(let run, let id, _, let success):
            if isAtWork(run, id) { complete(run, id, success) }
        case .crashes(let run, let id, _):
            guard isAtWork(run, id) else { return }
            lastWords(of: id, run)
            if workers[id]?.phase != .leaving { leave(id, "ended by signal 6 (SIGABRT)", after: .zero) }
        case .strays(let run, let id, _): if isAtWork(run, id) { stray(run, id) }
        case .givesUp(let id, _, let sequence, let isLate): giveUp(sequence, id, isLate: isLate)
        case .exited, .heard, .read, .suspends, .mustHaveEnded, .withdrawn, .written, .mustHaveFinished,
            .pinged, .delivered, .transferred, .samples, .answered:
            break
        }
    }

    private func isAtWork(_ run: RunID, _ id: WorkerID) -> Bool {
        workers[id]?.runs[run]?.isAtWork == true
    }
}
