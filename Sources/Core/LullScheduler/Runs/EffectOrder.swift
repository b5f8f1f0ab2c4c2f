import LullModel

/// Which effects wait for the log, and which do not.
///
/// What warns or ends what really runs is done at once: a log that can't be written gives no run more time than it has.
/// All else waits for its records; so does the end of what has not been begun yet, for nothing is ended before it begins.
/// Pure, so that the host and the simulator keep the rule with the same code.
package struct EffectOrder: Sendable {
    /// Runs whose launch waits.
    private var launches: Set<RunID> = []
    /// Workers whose start waits.
    private var starts: Set<WorkerID> = []

    package init() {}

    /// Divides the effects of one event, each part in its order; `later` is what is to be carried out once the records are
    /// durable.
    package mutating func divide(_ effects: [Effect]) -> (atOnce: [Effect], later: [Effect]) {
        var atOnce: [Effect] = []
        var later: [Effect] = []
        for effect in effects {
            if isUrgent(effect) {
                atOnce.append(effect)
                continue
            }
            switch effect {
            case .launch(let launch): launches.insert(launch.run)
            case .startWorker(let worker): starts.insert(worker)
            case .record, .comparePlugin, .resumeWorker, .suspendWorker, .evictWorker, .killWorker, .expire,
                .keepWorker, .reply, .arm,
                .sample, .deliver, .ping, .beginTransfer,
                .stopTransfer, .removeTransferFiles, .tellTransfers, .askFleet, .finished:
                break
            }
            later.append(effect)
        }
        return (atOnce, later)
    }

    /// One that waited is done, or there was nothing left to do for it.
    package mutating func carriedOut(_ effect: Effect) {
        switch effect {
        case .launch(let launch): launches.remove(launch.run)
        case .startWorker(let worker): starts.remove(worker)
        case .record, .comparePlugin, .resumeWorker, .suspendWorker, .evictWorker, .killWorker, .expire,
            .keepWorker, .reply, .arm,
            .sample, .deliver, .ping, .beginTransfer,
            .stopTransfer, .removeTransferFiles, .tellTransfers, .askFleet, .finished:
            break
        }
    }

    private func isUrgent(_ effect: Effect) -> Bool {
        if Mutation.waitsToEnd.isOn { return false }
        return switch effect {
        case .expire(let run, _, _): !launches.contains(run)
        case .killWorker(let worker, _): !starts.contains(worker)
        // The one changes nothing, and the other's time runs on while the log is written.
        case .comparePlugin, .keepWorker: true
        case .record, .startWorker, .resumeWorker, .suspendWorker, .evictWorker, .launch, .reply, .arm,
            .sample, .deliver, .ping, .beginTransfer,
            .stopTransfer, .removeTransferFiles, .tellTransfers, .askFleet, .finished:
            false
        }
    }
}
