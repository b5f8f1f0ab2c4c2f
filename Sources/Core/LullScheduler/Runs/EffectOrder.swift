import LullModel

/// Which effects wait for the log, and which do not.
///
/// Effects that warn or end running work are carried out at once: a log that can't be written gives no run more time.
/// All other effects wait for their records. So does the end of work that has not begun, for nothing is ended before it
/// begins. Pure, so that the host and the simulator keep the rule with the same code.
package struct EffectOrder: Sendable {
    /// Runs whose launch waits.
    private var launches: Set<RunID> = []
    /// Workers whose start waits.
    private var starts: Set<WorkerID> = []

    package init() {}

    /// Divides the effects of one event, each part in its order; `later` is carried out once the records are
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

    /// An effect that waited is carried out, or was no longer needed.
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
        // `comparePlugin` changes nothing, and the time of `keepWorker` runs on while the log is written.
        case .comparePlugin, .keepWorker: true
        case .record, .startWorker, .resumeWorker, .suspendWorker, .evictWorker, .launch, .reply, .arm,
            .sample, .deliver, .ping, .beginTransfer,
            .stopTransfer, .removeTransferFiles, .tellTransfers, .askFleet, .finished:
            false
        }
    }
}
