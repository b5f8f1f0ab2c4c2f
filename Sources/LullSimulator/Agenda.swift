import LullModel
import LullScheduler

/// What simulated workers are about to do, by monotonic time: they stand still while the host is suspended.
struct Agenda: Sendable {
    enum Matter: Sendable, Equatable {
        case started(AppIdentifier, worker: Int)
        case exited(AppIdentifier, worker: Int, String)
        case returned(RunID, worker: Int)
        case submits(RunID, AppIdentifier, worker: Int)
        case completes(RunID, AppIdentifier, worker: Int, success: Bool)
        case crashes(RunID, AppIdentifier, worker: Int)
        case progresses(RunID, AppIdentifier, worker: Int, Int64)
        /// Late: the answer may be on its way.
        case withdrawn(Token, isLate: Bool)
        /// The disk answers.
        case written
        case mustHaveFinished
        /// A sink answers; nobody hears it but the host that told it.
        case pinged(String, host: Int)
        case delivered(UInt64, host: Int, trouble: String?)
        case samples
    }

    private var matters: [(time: MonotonicTime, matter: Matter)] = []

    var nextTime: MonotonicTime? { matters.first?.time }

    /// What has the same time comes in the order in which it was added.
    mutating func add(_ matter: Matter, at time: MonotonicTime) {
        var low = 0
        var high = matters.count
        while low < high {
            let middle = (low + high) / 2
            if matters[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        matters.insert((time, matter), at: low)
    }

    mutating func removeFirst(upTo time: MonotonicTime) -> Matter? {
        guard let first = matters.first, first.time <= time else { return nil }
        return matters.removeFirst().matter
    }

    mutating func removeAll(where isMeant: (Matter) -> Bool) { matters.removeAll { isMeant($0.matter) } }
}
