import LullModel
import LullScheduler
import LullWire

/// Submits of plugins, from the worker's side: with a number, an answer to wait for, and an end to the timeout.
extension Simulation {
    /// Submits through a warm worker of the app. Without one the submission comes in as from outside, without a process.
    mutating func submit(_ submission: Submission) {
        if let app = submission.app, let id = warmWorker(of: app) { return submit(submission, by: id) }
        let token = makeToken()
        invariants.willSubmit(token, submission)
        about.isByHand = submission.app == nil && !submission.isInstead
        handle(.submitted(submission, reply: token))
        guard submission.app != nil else { return }
        // The caller stops waiting after a while, and may do so just when the answer is on its way.
        if invariants.isUnanswered(token) {
            agenda.add(.withdrawn(token, isLate: false), at: clock.monotonic + Limits.submitWait)
        }
        if world.answersCross > 0, random.chance(world.answersCross) {
            agenda.add(.withdrawn(token, isLate: true), at: clock.monotonic + .milliseconds(20))
        }
    }

    mutating func submit(_ submission: Submission, by id: WorkerID) {
        let kind =
            submission.kind ?? manifest.tasks.first { $0.identifier == submission.task }?.kind ?? .refresh
        let request = WireRequest(
            kind: WireKind(kind), identifier: submission.task.text,
            earliestBegin: (submission.earliestBegin?.milliseconds ?? 0) * 1_000_000,
            requirements: (submission.requires.network == nil ? 0 : WireRequest.network)
                | (submission.requires.externalPower ? WireRequest.externalPower : 0),
            isImmediate: submission.isImmediate, label: WireLabel(submission.label))
        write(request, by: id) { simulation in
            simulation.world.answersCross > 0 && simulation.random.chance(simulation.world.answersCross)
        }
    }

    /// `isLate` decides afterwards whether the plugin stops waiting just when the answer is on its way.
    mutating func write(
        _ request: WireRequest, by id: WorkerID, isLate: (inout Simulation) -> Bool
    ) {
        guard let number = workers[id]?.number, let sequence = workers[id]?.makeSequence() else {
            return
        }
        workers[id]?.waits.insert(sequence)
        write(.submit(sequence: sequence, request: request), by: id)
        if workers[id]?.number == number, workers[id]?.waits.contains(sequence) == true {
            agenda.add(
                .givesUp(id, worker: number, sequence, isLate: false),
                at: clock.monotonic + Limits.submitWait)
        }
        if isLate(&self) {
            agenda.add(
                .givesUp(id, worker: number, sequence, isLate: true),
                at: clock.monotonic + .milliseconds(20))
        }
    }

    mutating func giveUp(_ sequence: UInt64, _ id: WorkerID, isLate: Bool) {
        guard isLate || workers[id]?.waits.contains(sequence) == true else { return }
        workers[id]?.waits.remove(sequence)
        write(.withdraw(sequence: sequence), by: id)
    }
}
