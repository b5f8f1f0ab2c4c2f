public import LullModel

/// An action for the shell to carry out, in list order.
///
/// Every `record` must be durable before any later effect in the list is carried out: the log comes first.
public enum Effect: Sendable, Equatable {
    case record(HistoryEvent)
    /// Spawn the worker, load the plugin, call `start`.
    case startWorker(WorkerID)
    /// Check whether the worker's plugin files are still those that it has loaded; `pluginCompared` answers.
    case comparePlugin(WorkerID)
    case resumeWorker(WorkerID)
    case suspendWorker(WorkerID)
    /// End a worker in which nothing runs.
    case evictWorker(WorkerID)
    /// Kill the process group.
    case killWorker(WorkerID, reason: String)
    case launch(Launch)
    /// The worker's supervisor ends the worker at that time since boot, sleep included, even if this host is gone; nil:
    /// never. `workerOverdue` reports the end.
    case keepWorker(WorkerID, until: Duration?)
    /// Warn the handler.
    case expire(RunID, WorkerID, reason: String)
    case reply(Token, Reply)
    /// Send `wake` at the earlier of the two; replaces the deadline that was armed before.
    case arm(Deadline)
    /// The sensors whose sampled value can open the last closed gate of some task; none: stop sampling.
    case sample(Set<Conditions.Sensor>)
    /// Deliver a notice; `delivered` answers.
    case deliver(Delivery)
    /// Send a heartbeat; `pinged` answers.
    case ping(Ping)
    /// Makes an attempt at a transfer; `transferNews` answers. The shell fills in the folder.
    case beginTransfer(AppIdentifier, TransferStart)
    /// Ends an attempt; later news of it is ignored.
    case stopTransfer(AppIdentifier, TransferID, keepsPart: Bool)
    /// Removes the files of a transfer that is no longer needed: the received part, and the file that the app handed
    /// over for upload.
    case removeTransferFiles(AppIdentifier, stem: UInt64, upload: String?)
    /// Tells the app to look at the transfers of a session.
    case tellTransfers(WorkerID, session: String)
    /// Asks the fleet's database; `fleet` answers, with the number.
    case askFleet(UInt64, FleetCall)
    /// After `shutdown`: no run, worker or delivery is left.
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
    /// The contents of the push that it is for; nil: none.
    public var push: PushNote?
    /// The fleet slot that it is for, with its fencing number; nil: it needs none.
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

/// The answer to the caller that a token identifies.
public enum Reply: Sendable, Equatable {
    /// `next`: for an operator, a sentence on the task's next time by `repeat` or `at`.
    case accepted(RequestID, next: String? = nil)
    case refused(Refusal)
    case launched(RunID, next: String? = nil)
    case transfer(TransferID)
    /// The command was carried out; a sentence for people.
    case done(String)
    /// Nothing changed; a sentence for people.
    case unchanged(String)
}
