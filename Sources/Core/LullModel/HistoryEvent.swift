/// One line of the history: what happened, when, to which app, task, request and run.
///
/// The names and the fields are a format (`docs/history.md`): they are only added to.
public struct HistoryEvent: Sendable, Equatable {
    public enum Name: String, Sendable, Codable, CaseIterable {
        case used, discovered, submitted, refused, replaced, merged, cancelled, deferred, launched, expired,
            completed
        case failed, interrupted, givenUp = "given_up", idled, revived, enabled, disabled, violation
        /// Launches are paused, until `earliest_begin` if given: of a task, of an app or, with the app `host`, of all.
        case paused
        case resumed
        /// The app will become idle unless it is used.
        case idleSoon = "idle_soon"
        /// The host could launch nothing for `milliseconds` until `time`; `absence` says why.
        case absent
        /// For which share of the last `milliseconds` each condition of the host held.
        case conditions
        /// A notice is to be delivered, or is held back because there were too many.
        case notice
        /// From here on the host watches for the triggers of the task's `on`; `reason` names them.
        case watched
        /// An event of `on` was merged into a request that waits.
        case happened
        /// The result of a notice's delivery: delivered, failed or given up.
        case notified
        /// A run has reported the push that it was launched for; `reason` is its text.
        case reported
        /// An operator has allowed an app urgent pushes again.
        case restored
        /// An app's notification was added, delivered or removed.
        case notification
        /// The state of a transfer has changed.
        case transfer
        /// The status of a slot of the fleet has changed.
        case slot
        /// An operator had the manifest read again; `reason` says what came of it.
        case reloaded

        /// Whether it concerns the host itself and no app: its `app` is then `AppIdentifier.host`.
        public var concernsHost: Bool { [.absent, .conditions, .reloaded].contains(self) }
        /// Whether it may concern the host as well as an app.
        public var mayConcernHost: Bool {
            concernsHost || [.paused, .resumed, .notice, .notified].contains(self)
        }
    }

    public var time: WallTime
    public var event: Name
    public var app: AppIdentifier
    /// Of an operator's act (`isAct`): who it was, as `ActorName` has it; nil: not an operator's, or not known.
    @Rare public var by: String?
    public var task: TaskIdentifier?
    public var request: RequestID?
    public var run: RunID?
    public var outcome: Outcome?
    /// A sentence for people; for `deferred` the closed gates.
    public var reason: String?
    /// `submitted`, `launched`: the kind of the request or run.
    public var kind: Kind?
    /// `launched`: `operator` for an extra launch, which does not change `repeat` and `at`.
    public var origin: TaskRequest.Origin?
    /// Also of `deferred`: when time alone opens the gates that it names; nil: it does not.
    public var earliestBegin: WallTime?
    @Rare public var requires: Requirements?
    @Rare public var label: RequestLabel?
    /// `submitted`, `launched`, `given_up`, `cancelled`: the times of `at` that it is about.
    public var occurrence: Occurrence?
    /// `deferred`: the closed gates by name, sorted; empty when all are open and the task waits for its moment. `expired`,
    /// and a `failed` after it: the gates whose closing ended the run. `given_up`: `permitted`, if the manifest no longer lists
    /// the task.
    public var gates: [String]?
    /// `discovered`: the tasks that the plugin registered, and the stamp of its plugin and manifest entry.
    public var registered: [TaskIdentifier]?
    public var stamp: String?
    /// `completed`, `failed`, `expired` with an end: how long the run took, in milliseconds on the monotonic clock.
    /// `absent`, `conditions`: the span that the event is about, which ends at `time`.
    public var milliseconds: Int64?
    /// `launched` as a refresh: the price that the launch was worth. A value that is not finite is dropped.
    public var price: Double? {
        didSet { if price?.isFinite == false { price = nil } }
    }
    /// `launched` as a refresh: the launches a day that were allowed then. A value that is not finite is dropped.
    public var budget: Double? {
        didSet { if budget?.isFinite == false { budget = nil } }
    }
    /// `conditions`: by the name of a condition, the share of the span for which it held; a value outside 0 to 1 is dropped.
    public var shares: [String: Double]? {
        didSet { shares = shares?.filter { (0...1).contains($0.value) } }
    }

    /// `launched`, `completed`, `failed`: which attempt the run is; nil: attempts are not counted.
    @Rare public var attempt: Attempt?
    /// `completed`, `failed`: the exit code of the run's program; 128 and more for a signal, as in a shell.
    public var exitCode: UInt8?
    /// `completed`, `failed`: what the run cost; nil: nothing was measured.
    @Rare public var cost: RunCost?
    /// With `cost`: over which spans it counts; nil: no limit concerns it.
    @Rare public var countedOver: CostSpans?
    /// `launched`: where the run came from.
    @Rare public var provenance: Provenance?
    /// `notice`, `notified`.
    @Rare public var notice: NoticeNote?
    /// `submitted`, `launched`: of a push; a launch has no payload.
    @Rare public var push: PushNote?
    /// `submitted`: by when it is expected to be launched, judging by the past.
    public var expectedBy: WallTime?
    /// `submitted`, `happened`, `launched`: the events of `on`.
    @Rare public var triggerEvent: TriggerEvent?
    /// `notification`.
    public var notification: NotificationAct?
    /// `transfer`.
    public var transfer: TransferNote?
    /// `launched`, `slot`; also `submitted`, `deferred` and `given_up` for a slot that any host may have.
    @Rare public var slot: SlotNote?
    /// `submitted`: the values that were given for parameters; `launched`: the values of all parameters.
    @Rare public var params: [String: String]?
    /// `absent`.
    public var absence: AbsenceCause?

    public init(
        _ event: Name, at time: WallTime, app: AppIdentifier, task: TaskIdentifier? = nil,
        request: RequestID? = nil,
        run: RunID? = nil, outcome: Outcome? = nil, reason: String? = nil
    ) {
        self.time = time
        self.event = event
        self.app = app
        self.task = task
        self.request = request
        self.run = run
        self.outcome = outcome
        self.reason = reason
    }

    /// `completed`, `failed`, `interrupted`: how the run ended, also where an older host did not record an outcome.
    public var ending: Outcome? {
        switch event {
        case .completed: outcome ?? .succeeded
        case .failed: outcome ?? .failed
        case .interrupted: outcome ?? .interrupted
        default: nil
        }
    }

    /// Whether it is an act, which an operator may have made; a consequence of an act is none.
    public var isAct: Bool {
        switch event {
        case .used, .refused, .replaced, .merged, .cancelled, .launched, .expired, .enabled, .disabled,
            .paused,
            .resumed, .restored, .transfer, .reloaded:
            true
        case .submitted: origin == .operator || origin == .push
        case .discovered, .deferred, .completed, .failed, .interrupted, .givenUp, .idled, .revived,
            .violation,
            .idleSoon, .absent, .conditions, .notice, .watched, .happened, .notified, .reported,
            .notification, .slot:
            false
        }
    }

    /// A copy without the payload of a push and the secrets of a transfer, which only their app may see.
    public var withoutPayload: HistoryEvent {
        var event = self
        event.push = push?.withoutPayload
        event.transfer = transfer?.withoutSecrets
        return event
    }

    /// Whether the fleet's database gets it. A slot that any host may have has one row there, whatever the number of hosts
    /// that record what became of it.
    public var isForFleet: Bool { slot?.act != .elsewhere && slot?.act != .shared }

    /// Whether a run has ended, or a plugin could not be loaded, through a fault of the task or app.
    public var isFailure: Bool { ending?.isFailure(endedBy: gates) ?? false }
}
