import LullModel
import LullScheduler
import LullWire

/// The socket between a host and one worker, and what the host's end of it knows.
struct VirtualLink: Sendable {
    /// Tells the worker from the app's earlier ones.
    let worker: Int
    /// The shipping one.
    var session: WorkerSession
    var watch: WireWatch
    var toHost = VirtualQueue<WorkerFrame>()
    var toWorker = VirtualQueue<HostFrame>()
    var tokens: [SubmitID: Token] = [:]
    /// The scheduler wants the worker suspended, as soon as nothing of the session stands in the way.
    var wantsSuspension = false

    /// Each is one look at what is large to copy.
    mutating func hear(
        _ datagram: VirtualQueue<WorkerFrame>.Datagram, submits count: inout UInt64
    ) -> [SessionDeed] {
        watch.arrives(datagram.meaning)
        return datagram.bytes.withUnsafeBytes { session.take($0, length: $0.count, submits: &count) }
    }

    mutating func hasHeard() -> [String] {
        watch.arrived()
        return watch.takeFaults()
    }

    mutating func read(_ datagram: VirtualQueue<HostFrame>.Datagram) -> HostFrame? {
        let frame = datagram.bytes.withUnsafeBytes { try? HostFrame(decoding: $0) }
        watch.reads(frame, meant: datagram.meaning)
        return frame
    }

    mutating func isNothingOnItsWay(toHost: Bool) -> Bool {
        toHost ? self.toHost.isEmpty : toWorker.isEmpty
    }

    /// A plugin's submit, and the worker that its answer goes to.
    struct Asked: Sendable {
        var id: WorkerID
        var worker: Int
        var submit: SubmitID
        var sequence: UInt64
    }
}

/// One direction of a `SOCK_SEQPACKET` socket: whole datagrams, each after the one before.
struct VirtualQueue<Frame: Sendable>: Sendable {
    struct Datagram: Sendable {
        var bytes: [UInt8]
        /// The frame that was meant by the writer; nil: it is no frame.
        var meaning: Frame?
    }

    private var waiting: [(datagram: Datagram, due: MonotonicTime)] = []

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    /// Adds a datagram, and returns when it is read: not before earlier ones.
    mutating func add(_ datagram: Datagram, due: MonotonicTime) -> MonotonicTime {
        let due = max(due, waiting.last?.due ?? due)
        waiting.append((datagram, due))
        return due
    }

    /// Nil `time`: the first, whenever it is due.
    mutating func takeFirst(upTo time: MonotonicTime?) -> Datagram? {
        guard let first = waiting.first, time.map({ first.due <= $0 }) ?? true else { return nil }
        return waiting.removeFirst().datagram
    }

    mutating func removeAll() { waiting = [] }
}
