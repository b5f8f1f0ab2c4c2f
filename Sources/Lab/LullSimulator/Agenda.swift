import LullModel
import LullScheduler

/// The pending actions of simulated workers, by monotonic time, which stands still while the host is suspended.
struct Agenda: Sendable {
    enum Matter: Sendable, Equatable {
        case started(WorkerID, worker: Int)
        case exited(WorkerID, worker: Int, String)
        case returned(RunID, WorkerID, worker: Int)
        case submits(RunID, WorkerID, worker: Int)
        case submitsLater(WorkerID, worker: Int)
        case completes(RunID, WorkerID, worker: Int, success: Bool)
        case crashes(RunID, WorkerID, worker: Int)
        case progresses(RunID, WorkerID, worker: Int, Int64)
        /// A plugin gives up waiting for the answer to its submit. `isLate`: the answer may be on its way.
        case givesUp(WorkerID, worker: Int, UInt64, isLate: Bool)
        /// A plugin misuses its worker's socket.
        case strays(RunID, WorkerID, worker: Int)
        /// The host, and a worker, read the next frame.
        case heard(WorkerID, worker: Int)
        case read(WorkerID, worker: Int)
        /// The host tries to stop a worker.
        case suspends(WorkerID, worker: Int)
        /// A worker was told to end.
        case mustHaveEnded(WorkerID, worker: Int)
        /// `isLate`: the answer may be on its way.
        case withdrawn(Token, isLate: Bool)
        /// The disk answers.
        case written
        case mustHaveFinished
        /// A sink answers; only the host that called it receives the answer.
        case pinged(String, host: Int)
        case delivered(UInt64, host: Int, trouble: String?)
        /// An attempt at a transfer is over; the process may outlive its host.
        case transferred(TransferID, attempt: UInt64, host: Int)
        case samples
        /// The fleet's database answers.
        case answered(UInt64, FleetAnswer, host: Int)
    }

    private var matters: [(time: MonotonicTime, matter: Matter)] = []

    var nextTime: MonotonicTime? { matters.first?.time }

    /// Matters with the same time keep the order in which they were added.
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

extension Agenda.Matter {
    /// The worker process that has to live, and not to be stopped, for the matter; nil: it needs none.
    var actor: (id: WorkerID, worker: Int)? {
        switch self {
        case .started(let id, let worker), .returned(_, let id, let worker),
            .submits(_, let id, let worker), .submitsLater(let id, let worker),
            .completes(_, let id, let worker, _), .crashes(_, let id, let worker),
            .progresses(_, let id, let worker, _), .givesUp(let id, let worker, _, _),
            .strays(_, let id, let worker):
            (id, worker)
        case .exited, .heard, .read, .suspends, .mustHaveEnded, .withdrawn, .written, .mustHaveFinished,
            .pinged, .delivered, .transferred, .samples, .answered:
            nil
        }
    }
}
