import LullModel
import LullSession
import LullWire

/// What follows from a frame, done with the process, its socket and its pipes.
extension Worker {
    func perform(_ deeds: [SessionDeed]) {
        for deed in deeds {
            switch deed {
            case .say(let news): tell(news)
            case .send(let frame): reply(frame)
            case .sendWaiting: for frame in session.takeWaiting() { send(frame) }
            case .closeSocket: closeSocket()
            case .kill(let reason): kill(reason: reason)
            case .readOutput: drainOutput(atMost: 256 << 10)
            case .rest: rest()
            case .watchActivities: watchActivities()
            case .forgetActivities: forgetActivities()
            }
        }
    }

    private func tell(_ news: SessionNews) {
        switch news {
        case .ready(let registered, let plugin):
            startOutput = StartOutput()
            pool.emit(.ready(id, registered: registered, plugin: plugin))
        case .submit(let submit, let sequence, let request):
            pool.emit(
                .submit(submit, id, request) { [weak self] refusal in
                    guard let self, let frame = session.answer(submit, sequence, refusal) else { return }
                    reply(frame)
                })
        case .withdrawn(let submit): pool.emit(.withdrawn(submit, id))
        case .cancel(let sequence, let task):
            pool.emit(
                .cancel(id, task) { [weak self] in
                    guard let self, let frame = session.answerCancel(sequence) else { return }
                    reply(frame)
                })
        case .pendingQuery(let sequence):
            pool.emit(
                .pendingQuery(id) { [weak self] requests in
                    guard let self else { return }
                    for frame in session.answerPending(sequence, requests) { reply(frame) }
                })
        case .launchReturned(let run): pool.emit(.launchReturned(id, run))
        case .completed(let run, let success):
            freeRuns.remove(run.number)
            pool.emit(.completed(id, run, success: success))
        case .log(let run, let level, let message): pool.emit(.log(id, run, level, message: message))
        case .printed(let run, let stream, let part):
            pool.emit(.printed(id, run, StandardStream(stream), part))
        case .progress(let run, let completed, let total, let message):
            pool.emit(.progress(id, run, completed: completed, total: total, message: message))
        case .titled(let run, let title, let subtitle):
            pool.emit(.titled(id, run, title: title, subtitle: subtitle))
        case .violation(let run, let task, let sentence, let isFatal):
            pool.emit(.violation(id, run, task: task, sentence: sentence, isFatal: isFatal))
        case .registered(let task): pool.emit(.registered(id, task))
        }
    }

    /// An answer may find the worker suspended, when it had asked just before; it is let on for a while.
    private func reply(_ frame: HostFrame) {
        if isStopped {
            proceed()
            setDeadline(.suspend, after: suspendRetry)
        }
        send(frame)
    }
}
