import LullLoop
import LullModel
import LullWire

/// What each frame of the worker means, and what of it can't be.
extension Worker {
    func take(_ frame: WorkerFrame) {
        switch frame {
        case .registered(let identifier): takeRegistration(identifier)
        case .hello(let hello): takeHello(hello)
        case .failed(_, let sentence):
            if isReady { return violate(nil, "It says that it failed: \(sentence)", isFatal: true) }
            failure = sentence
        case .submit(let sequence, let request): takeSubmit(sequence, request)
        case .withdraw(let sequence):
            guard let id = withdrawn(sequence) else { return }
            pool.emit(.withdrawn(id, app))
        case .cancel(let sequence, let identifier): takeCancel(sequence, identifier)
        case .pending(let sequence):
            pool.emit(.pendingQuery(app) { [weak self] in self?.answerPending(sequence, $0) })
        case .launchReturned(let run):
            // It may cross with a completion on another thread: of a run that is over it means nothing.
            if runs.contains(run) { pool.emit(.launchReturned(app, RunID(run))) }
        case .completed(let run, let success):
            freeRuns.remove(run)
            guard runs.remove(run) != nil else {
                return violate(nil, "It completed run \(run), which is none of its open runs.", isFatal: true)
            }
            completed[completedNext] = run
            completedNext = (completedNext + 1) % completed.count
            // What the handler printed before it said so belongs to the run.
            drainOutput(atMost: 256 << 10)
            if runs.isEmpty { rest() }
            pool.emit(.completed(app, RunID(run), success: success))
        case .log(let run, let level, let message):
            pool.emit(.log(app, openRun(run), level, message: message))
        case .progress(let run, let completed, let total, let message):
            guard let id = openRun(run) else { return }
            pool.emit(.progress(app, id, completed: completed, total: total, message: message))
        case .violation(let run, let identifier, let sentence, let isFatal):
            violate(ownRun(run), task: TaskIdentifier(identifier), sentence, isFatal: isFatal)
        case .titles(let run, let title, let subtitle):
            guard let id = openRun(run) else { return }
            pool.emit(.titled(app, id, title: title, subtitle: subtitle))
        case .activityBegan(let activity, let name): beginActivity(activity, name)
        case .activityEnded(let activity): endActivity(activity)
        }
    }

    /// A run of this worker that is not over; nil for any other number.
    private func openRun(_ run: UInt64) -> RunID? {
        runs.contains(run) ? RunID(run) : nil
    }

    /// An open run or one that was completed lately; nil for any other number: it may be another app's.
    private func ownRun(_ run: UInt64) -> RunID? {
        run != 0 && (runs.contains(run) || completed.contains(run)) ? RunID(run) : nil
    }

    private func takeRegistration(_ identifier: String) {
        if isEnding { return }
        guard let task = TaskIdentifier(identifier), let permit = spec.permit(for: task),
            !registered.contains(task), !registeredLate.contains(task), !isReady || permit.kind == .continued
        else {
            return violate(nil, "It registered '\(identifier)', which it may not.", isFatal: true)
        }
        guard isReady else { return registered.append(task) }
        registeredLate.insert(task)
        pool.emit(.registered(app, task))
    }

    private func takeHello(_ hello: WorkerFrame.Hello) {
        if isEnding { return }
        guard case .starting = stage else {
            return violate(nil, "It introduced itself twice.", isFatal: true)
        }
        guard hello.version == Wire.version else {
            return violate(
                nil, "The worker speaks version \(hello.version) of the wire, and its host \(Wire.version).",
                isFatal: true)
        }
        stage = .ready
        sdk = hello.sdk
        startOutput = StartOutput()
        let identity = PluginIdentity(
            sdk: hello.sdk, abiMajor: Int(hello.abiMajor), abiMinor: Int(hello.abiMinor),
            buildID: hello.buildID)
        let frames = waiting
        waiting = []
        rest()
        pool.emit(.ready(app, registered: registered, plugin: identity))
        for frame in frames where isReady { send(frame) }
    }

    private func takeSubmit(_ sequence: UInt64, _ request: WireRequest) {
        guard submits[sequence] == nil else {
            return violate(nil, "It used the number of a submit twice.", isFatal: true)
        }
        guard let wish = PluginRequest(request), !wish.task.isWildcard else {
            let sentence =
                "'\(request.identifier)' is no identifier. Use one that jobs.yaml permits to \(app)."
            return send(
                .submitReply(
                    sequence: sequence, status: Refusal.Code.notPermitted.rawValue, sentence: sentence))
        }
        guard submits.count < WorkerPool.openSubmits else {
            let sentence =
                "\(WorkerPool.openSubmits) submits of \(app) have no answer yet. Submit fewer at once."
            return send(
                .submitReply(
                    sequence: sequence, status: Refusal.Code.unavailable.rawValue, sentence: sentence))
        }
        let id = pool.makeSubmitID()
        submits[sequence] = id
        pool.emit(
            .submit(id, app, wish) { [weak self] refusal in
                guard let self, submits[sequence] == id else { return }
                submits[sequence] = nil
                answered[answeredNext] = (sequence, id)
                answeredNext = (answeredNext + 1) % answered.count
                reply(
                    .submitReply(
                        sequence: sequence, status: refusal?.code.rawValue ?? 0,
                        sentence: refusal?.sentence ?? ""))
            })
    }

    /// The submit of this number: one without an answer, or one whose answer came too late for the plugin.
    private func withdrawn(_ sequence: UInt64) -> SubmitID? {
        if let id = submits.removeValue(forKey: sequence) { return id }
        guard let index = answered.firstIndex(where: { $0?.sequence == sequence }) else { return nil }
        defer { answered[index] = nil }
        return answered[index]?.id
    }

    private func takeCancel(_ sequence: UInt64, _ identifier: String?) {
        var task: TaskIdentifier?
        if let identifier {
            task = TaskIdentifier(identifier)
            // No request has such an identifier, so there is none to cancel.
            if task == nil { return reply(.cancelReply(sequence: sequence)) }
        }
        pool.emit(.cancel(app, task) { [weak self] in self?.reply(.cancelReply(sequence: sequence)) })
    }

    private func answerPending(_ sequence: UInt64, _ requests: [TaskRequest]) {
        let wire = requests.map { WireRequest($0) }
        var sent = 0
        repeat {
            let part = Array(wire[sent...].prefix(HostFrame.requestsInPart))
            sent += part.count
            reply(.pendingReply(sequence: sequence, requests: part, isLast: sent == wire.count))
        } while sent < wire.count
    }

    /// An answer may find the worker suspended, when it had asked just before; it is let on for a while.
    private func reply(_ frame: HostFrame) {
        if isEnding { return }
        if isStopped {
            proceed()
            setDeadline(.suspend, after: suspendRetry)
        }
        send(frame)
    }
}
