public import LullModel

/// What the shell is to do, in this order.
///
/// Every `record` must be durable before any effect that stands behind it in the list is carried out:
/// the log comes first.
public enum Effect: Sendable, Equatable {
    case record(HistoryEvent)
    /// Spawn the worker, load the plugin, call `start`.
    case startWorker(WorkerID)
    /// See whether the worker's plugin files are still those that it has loaded; `pluginCompared` answers.
    case comparePlugin(WorkerID)
    case resumeWorker(WorkerID)
    case suspendWorker(WorkerID)
    /// End a worker in which nothing runs.
    case evictWorker(WorkerID)
    /// Kill the process group.
    case killWorker(WorkerID, reason: String)
    case launch(Launch)
    /// The worker's supervisor is to end it at that time since the boot, which counts sleep, whatever becomes of this host; nil: at
    /// none. `workerOverdue` tells that it has.
    case keepWorker(WorkerID, until: Duration?)
    /// Warn the handler.
    case expire(RunID, WorkerID, reason: String)
    case reply(Token, Reply)
    /// Send `wake` at the earlier of the two; it replaces what was armed before.
    case arm(Deadline)
    /// The sensors whose sampled value can open the last closed gate of some task; none: stop sampling.
    case sample(Set<Conditions.Sensor>)
    /// Tell somebody; `delivered` answers.
    case deliver(Delivery)
    /// Give a sign of life; `pinged` answers.
    case ping(Ping)
    /// Makes an attempt at a transfer; `transferNews` answers. The folder is the shell's to fill in.
    case beginTransfer(AppIdentifier, TransferStart)
    /// Ends an attempt; nothing more is heard of it.
    case stopTransfer(AppIdentifier, TransferID, keepsPart: Bool)
    /// Of a transfer that nobody needs any more: what has come, and what the app handed over to be sent.
    case removeTransferFiles(AppIdentifier, stem: UInt64, upload: String?)
    /// The app is to look at the transfers of a session.
    case tellTransfers(WorkerID, session: String)
    /// Asks the fleet's database; `fleet` answers, with the number.
    case askFleet(UInt64, FleetCall)
    /// After `shutdown`: nothing runs no worker is left, and nobody is being told.
    case finished
}

/// One start of a handler.
public struct Launch: Sendable, Equatable {
    public var run: RunID
    public var request: RequestID?
    public var task: TaskIdentifier
    public var worker: WorkerID
    /// The request's kind decides the class of the task object.
    public var kind: Kind
    /// When the run is to be over, for the handler to see; nil: no limit.
    public var deadline: MonotonicTime?
    /// As the request said.
    public var label: RequestLabel?
    /// The events of `on` that it is launched for, as JSON; nil: none.
    public var origin: String?
    /// Of a push: what it brings.
    public var push: PushNote?
    /// The slot of the fleet that it is for, with its fencing number; nil: it needs none.
    public var lease: SlotLease?

    public var app: AppIdentifier { worker.app }

    public init(
        run: RunID, request: RequestID?, task: TaskIdentifier, worker: WorkerID, kind: Kind,
        deadline: MonotonicTime?, label: RequestLabel? = nil, origin: String? = nil, push: PushNote? = nil,
        lease: SlotLease? = nil
    ) {
        self.run = run
        self.request = request
        self.task = task
        self.worker = worker
        self.kind = kind
        self.deadline = deadline
        self.label = label
        self.origin = origin
        self.push = push
        self.lease = lease
    }
}

/// The next moment that matters, on each clock; nil: none.
public struct Deadline: Sendable, Equatable {
    public var wall: WallTime?
    public var monotonic: MonotonicTime?
    public init(wall: WallTime? = nil, monotonic: MonotonicTime? = nil) {
        self.wall = wall
        self.monotonic = monotonic
    }
}

/// The answer to whoever waits behind a token.
public enum Reply: Sendable, Equatable {
    /// `next`: what becomes of the task's own rhythm, for an operator; a sentence.
    case accepted(RequestID, next: String? = nil)
    case refused(Refusal)
    case launched(RunID, next: String? = nil)
    case transfer(TransferID)
    /// The command was carried out; a sentence for people.
    case done(String)
    /// All was so before; a sentence for people.
    case unchanged(String)
}
