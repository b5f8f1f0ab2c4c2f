import LullModel

/// The handling of each frame of the worker, and the checks for impossible ones.
extension WorkerSession {
    /// Handles a datagram of `length` bytes; `bytes` has fewer if it was too long for the buffer.
    ///
    /// `submits` counts the submits of all workers of the host.
    public mutating func take(
        _ bytes: UnsafeRawBufferPointer, length: Int, submits count: inout UInt64
    ) -> [SessionDeed] {
        do throws(WireError) {
            guard length <= Limits.frameBytes else { throw .tooLong(bytes: length) }
            return take(try WorkerFrame(decoding: bytes), submits: &count)
        } catch {
            if isClosed { return [] }
            return violate(
                nil, "It wrote \(error.message) to its socket, which is the worker's alone.", isFatal: true)
        }
    }

    mutating func take(_ frame: WorkerFrame, submits count: inout UInt64) -> [SessionDeed] {
        if isClosed { return [] }
        switch frame {
        case .registered(let identifier): return takeRegistration(identifier)
        case .hello(let hello): return takeHello(hello)
        case .failed(_, ""), .violation(_, _, "", _):
            // The worker always sends a sentence.
            return violate(
                nil, "It wrote a fault without a sentence to its socket, which is the worker's alone.",
                isFatal: true)
        case .failed(let phase, let sentence):
            if isReady { return violate(nil, "It says that it failed: \(sentence)", isFatal: true) }
            failure = sentence
            isHeldBack = phase == .room
            return []
        case .submit(let sequence, let request): return takeSubmit(sequence, request, &count)
        case .withdraw(let sequence): return withdrawn(sequence).map { [.say(.withdrawn($0))] } ?? []
        case .cancel(let sequence, let identifier): return takeCancel(sequence, identifier)
        case .pending(let sequence): return [.say(.pendingQuery(sequence: sequence))]
        case .launchReturned(let run):
            // It may arrive after a completion from another thread: for a run that is over it means nothing.
            return openRun(run).map { [.say(.launchReturned($0))] } ?? []
        case .completed(let run, let success, let childPeak):
            return takeCompletion(run, success, childPeak)
        case .log(let run, let level, let message):
            return [.say(.log(openRun(run), level, message: message))]
        case .printed(let run, let stream, let part):
            guard let id = openRun(run), !part.isEmpty else { return [] }
            return [.say(.printed(id, stream, part))]
        case .skippedOutput(let run, let bytes):
            return openRun(run).map { [.say(.skippedOutput($0, bytes: bytes))] } ?? []
        case .holdsOutput(let run): return openRun(run) == nil ? [] : [.letPrint(run)]
        case .progress(let run, let completed, let total, let message):
            guard let id = openRun(run) else { return [] }
            return [.say(.progress(id, completed: completed, total: total, message: message))]
        case .violation(let run, let identifier, let sentence, let isFatal):
            return violate(ownRun(run), task: TaskIdentifier(identifier), sentence, isFatal: isFatal)
        case .titles(let run, let title, let subtitle):
            guard let id = openRun(run) else { return [] }
            return [.say(.titled(id, title: title, subtitle: subtitle))]
        case .exitCode(let run, let code):
            return openRun(run).map { [.say(.exitCode($0, code))] } ?? []
        case .reported(let run, let text):
            return openRun(run).map { [.say(.reported($0, text: text))] } ?? []
        case .activityBegan(let activity, let name): return beginActivity(activity, name)
        case .activityEnded(let activity): return endActivity(activity)
        case .notify(let sequence, let notification): return takeNotification(sequence, notification, &count)
        case .notifications(let sequence, let delivered):
            return [.say(.notificationsQuery(sequence: sequence, delivered: delivered))]
        case .removeNotifications(let sequence, let delivered, let identifiers):
            return [.say(.removeNotifications(sequence: sequence, identifiers, delivered: delivered))]
        case .setBadge(let sequence, let badge):
            return ask(sequence, &count) { .setBadge($0, sequence: sequence, badge) }
        case .transfer(let sequence, let order): return takeTransfer(sequence, order, &count)
        case .transfers(let sequence, let session, let after):
            return takeTransfersQuery(sequence, session, after)
        case .transferAct(let sequence, let transfer, let act):
            return ask(sequence, &count) {
                .transferAct($0, sequence: sequence, TransferID(transfer), act)
            }
        case .transferAnswer(let sequence, let transfer, let answer):
            return takeTransferAnswer(sequence, transfer, answer, &count)
        }
    }

    /// The open run of this worker with this number; nil for any other number.
    private func openRun(_ run: UInt64) -> RunID? {
        runs.contains(run) ? RunID(run) : nil
    }

    /// An open or recently completed run; nil for any other number, which may be another app's.
    private func ownRun(_ run: UInt64) -> RunID? {
        runs.contains(run) || completed.contains { $0 == run } ? RunID(run) : nil
    }

    private mutating func takeCompletion(
        _ run: UInt64, _ success: Bool, _ childPeak: UInt64
    ) -> [SessionDeed] {
        guard runs.remove(run) != nil || SessionMutation.believesAnyRun.isOn else {
            return violate(nil, "It completed run \(run), which is not one of its open runs.", isFatal: true)
        }
        completed.append(run)
        // Output from before the completion belongs to the run.
        var deeds = [SessionDeed.readOutput]
        if runs.isEmpty { deeds.append(.rest) }
        if !SessionMutation.dropsCompletions.isOn {
            deeds.append(.say(.completed(RunID(run), success: success, childPeak: childPeak)))
        }
        return deeds
    }

    private mutating func takeRegistration(_ identifier: String) -> [SessionDeed] {
        if isEnding { return [] }
        guard let task = TaskIdentifier(identifier), let permit = permit(for: task),
            !registeredAtAll.contains(task), !isReady || permit.kind == .continued
        else {
            return violate(nil, "It registered '\(identifier)', which it may not.", isFatal: true)
        }
        if permit.task != task { registeredByWildcard += 1 }
        guard registeredByWildcard <= Limits.registrations else {
            return violate(
                nil,
                "It registered more than \(Limits.registrations) identifiers that a wildcard permits. "
                    + "Register a task's identifier once, and use it again.", isFatal: true)
        }
        registeredAtAll.insert(task)
        guard isReady else {
            registered.append(task)
            return []
        }
        return [.say(.registered(task))]
    }

    private mutating func takeHello(_ hello: WorkerFrame.Hello) -> [SessionDeed] {
        if isEnding { return [] }
        guard isStarting else { return violate(nil, "It introduced itself twice.", isFatal: true) }
        guard hello.version == Wire.version else {
            return violate(
                nil,
                "The worker speaks version \(hello.version) of the wire protocol, but its host speaks \(Wire.version).",
                isFatal: true)
        }
        stage = .ready
        sdk = hello.sdk
        runsAlone = hello.runsAlone
        let identity = PluginIdentity(
            sdk: hello.sdk, abiMajor: Int(hello.abiMajor), abiMinor: Int(hello.abiMinor),
            buildID: hello.buildID, runsAlone: hello.runsAlone)
        return [.rest, .say(.ready(registered: registered, plugin: identity)), .sendWaiting]
    }

    private mutating func takeSubmit(
        _ sequence: UInt64, _ request: WireRequest, _ count: inout UInt64
    ) -> [SessionDeed] {
        guard submits[sequence] == nil else {
            return violate(nil, "It used the number of a submit twice.", isFatal: true)
        }
        guard let wish = PluginRequest(request), !wish.task.isWildcard else {
            return refuse(
                sequence, .notPermitted,
                request.identifier.contains(".")
                    ? "'\(request.identifier)' is not an identifier. Use one that jobs.yaml permits to \(app)."
                    : "'\(request.identifier)' is not an identifier: it has no dot. Write \(app).\(request.identifier)."
            )
        }
        guard submits.count < Self.openSubmits else {
            return refuse(
                sequence, .unavailable,
                "\(Self.openSubmits) submits of \(app) have no answer yet. Submit fewer at once.")
        }
        count += 1
        let id = SubmitID(count)
        submits[sequence] = id
        return [.say(.submit(id, sequence: sequence, wish))]
    }

    func refuse(_ sequence: UInt64, _ code: Refusal.Code, _ sentence: String) -> [SessionDeed] {
        guard isListenedTo else { return [] }
        return [.send(.submitReply(sequence: sequence, status: code.rawValue, sentence: sentence))]
    }

    /// The submit with this number: one without an answer, or one whose answer came too late for the plugin.
    private mutating func withdrawn(_ sequence: UInt64) -> SubmitID? {
        if let id = submits.removeValue(forKey: sequence) { return id }
        if SessionMutation.forgetsAnswered.isOn { return nil }
        return answered.take { $0.sequence == sequence }?.id
    }

    private func takeCancel(_ sequence: UInt64, _ identifier: String?) -> [SessionDeed] {
        guard let identifier else { return [.say(.cancel(sequence: sequence, nil))] }
        guard let task = TaskIdentifier(identifier) else {
            // No request has such an identifier, so there is none to cancel.
            return answerCancel(sequence).map { [.send($0)] } ?? []
        }
        return [.say(.cancel(sequence: sequence, task))]
    }
}
