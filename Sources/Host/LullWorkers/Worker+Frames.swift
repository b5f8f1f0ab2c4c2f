import LullModel
import LullWire

/// Carries out what follows from a frame, with the process, its socket and its pipes.
extension Worker {
    func perform(_ deeds: [SessionDeed]) {
        for deed in deeds {
            switch deed {
            case .say(let event): tell(event)
            case .send(let frame): reply(frame)
            case .sendWaiting: for frame in session.takeWaiting() { send(frame) }
            case .closeSocket: closeSocket()
            case .kill(let reason): kill(reason: reason)
            case .readOutput: drainOutput(atMost: 256 << 10)
            case .letPrint(let run): letPrint(run)
            case .rest: rest()
            case .watchActivities: watchActivities()
            case .forgetActivities: forgetActivities()
            }
        }
    }

    private func tell(_ event: WorkerEvent) {
        if case .ready = event {
            startOutput = StartOutput()
            if session.runsAlone { pool.runsAlone.insert(app) }
        }
        if case .completed(let run, _, let told) = event {
            endMeter(of: run, childPeak: Int64(clamping: told))
            freeRuns.remove(run.number)
            limitProcessor()
            nameLeft(by: run)
        }
        pool.emit(event, of: id)
    }

    func answer(_ submit: SubmitID, _ sequence: UInt64, _ refusal: Refusal?) {
        if let frame = session.answer(submit, sequence, refusal) { reply(frame) }
    }

    func answerCancel(_ sequence: UInt64) {
        if let frame = session.answerCancel(sequence) { reply(frame) }
    }

    func answerPending(_ sequence: UInt64, _ requests: [TaskRequest]) {
        for frame in session.answerPending(sequence, requests) { reply(frame) }
    }

    func answerNotifications(_ sequence: UInt64, _ notifications: [WireNotification]) {
        for frame in session.answerNotifications(sequence, notifications) { reply(frame) }
    }

    func answerTransfer(_ submit: SubmitID, _ sequence: UInt64, _ verdict: Result<TransferID, Refusal>) {
        if let frame = session.answerTransfer(submit, sequence, verdict) { reply(frame) }
    }

    func answerTransfers(_ sequence: UInt64, next: UInt64, _ states: [TransferState]) {
        if let frame = session.answerTransfers(sequence, next: next, states) { reply(frame) }
    }

    /// A worker that is stopped, or does not keep up, is notified when it goes on: news of transfers wake no worker.
    func tellTransfers(session name: String) {
        guard let frame = session.tellTransfers(of: name) else { return }
        guard !isStopped, outgoing.isEmpty else {
            untoldSessions.insert(name)
            return
        }
        send(frame)
    }

    func tellUntoldTransfers() {
        guard !untoldSessions.isEmpty, !isStopped, outgoing.isEmpty else { return }
        let names = untoldSessions.sorted()
        untoldSessions = []
        for name in names { tellTransfers(session: name) }
    }

    /// An answer may find the worker suspended just after it asked; it is resumed for a while.
    private func reply(_ frame: HostFrame) {
        if isStopped {
            proceed()
            setDeadline(.suspend, after: suspendRetry)
        }
        send(frame)
    }
}
