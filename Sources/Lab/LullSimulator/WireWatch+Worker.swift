import LullModel
import LullWire

/// The worker's end: what the host writes, and what the worker can make of it.
extension WireWatch {
    /// The worker writes, whether it is read or not.
    mutating func writes(_ frame: WorkerFrame) {
        switch frame {
        case .hello: hasSaidHello = true
        case .submit(let sequence, _), .notify(let sequence, _), .setBadge(let sequence, _),
            .transfer(let sequence, _), .transferAct(let sequence, _, _),
            .transferAnswer(let sequence, _, _):
            waits[sequence, default: 0] += 1
        case .withdraw(let sequence):
            givenUp[sequence, default: 0] += waits.removeValue(forKey: sequence) ?? 0
        default: break
        }
    }

    /// The host writes.
    mutating func sends(_ frame: HostFrame) {
        if isSilent { fault("its worker is told something after a fatal violation: \(frame)") }
        if isEnding { fault("its worker is told something after it was to end: \(frame)") }
        switch frame {
        case .submitReply(let sequence, _, _), .transferReply(let sequence, _, _, _):
            if unanswered.remove(sequence) == nil {
                fault("submit \(sequence) is answered, and nobody waits for that")
            }
        default: break
        }
    }

    /// The worker reads what was meant to be `frame`; nil: it can't.
    mutating func reads(_ read: HostFrame?, meant frame: HostFrame?) {
        guard let read else { return fault("its worker can't read what the host wrote") }
        if read != frame { fault("its worker reads another frame than the host wrote: \(read)") }
        if isToldToEnd { fault("its worker is told something after it was told to end: \(read)") }
        switch read {
        case .welcome:
            if isWelcome { fault("its worker is welcomed twice") }
            isWelcome = true
        case .confine, .place, .settings, .permit, .powerMode, .expireActivities, .printOn:
            if !isWelcome { fault("its worker is not welcomed first") }
        case .launch(let run, _, _, _, _, _, _):
            if !hasSaidHello { fault("run \(run) is launched before its worker is ready") }
            if !begun.insert(run).inserted { fault("its worker is to launch run \(run) twice") }
        case .expire(let run, let reason):
            if !begun.contains(run) {
                fault("its worker is to expire run \(run), which it does not have")
            }
            if reason.isEmpty { fault("run \(run) is expired without a reason") }
        case .terminate: isToldToEnd = true
        case .submitReply(let sequence, let status, let sentence),
            .transferReply(let sequence, let status, let sentence, _):
            if !Self.take(sequence, from: &waits), !Self.take(sequence, from: &givenUp) {
                fault("its worker reads an answer to submit \(sequence), for which it does not wait")
            }
            if (status == 0) != sentence.isEmpty {
                fault("submit \(sequence) is answered with \(status): '\(sentence)'")
            }
        case .cancelReply, .pendingReply, .notificationsReply, .transfersReply, .transferNews: break
        }
    }

    private static func take(_ sequence: UInt64, from counts: inout [UInt64: Int]) -> Bool {
        guard let count = counts[sequence], count > 0 else { return false }
        counts[sequence] = count == 1 ? nil : count - 1
        return true
    }
}
