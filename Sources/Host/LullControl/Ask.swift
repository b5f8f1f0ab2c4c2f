public import LullModel

/// All questions to a host over its socket, each with its word on the wire, its content and its answer's type.
///
/// To add one, write its type here; the compiler asks for the rest: a case of `Word`, the type in `Word.question`, a
/// line in `QuestionHandler`, and then for its answer in `LullHost`: one for both (`SchedulerQuestion`, `SchedulerOrder`),
/// or one in each.
public enum Ask {
    /// The name of a question on the wire.
    public enum Word: String, Sendable, CaseIterable {
        case status, report, names, why, pending, forecast, forecasts, loads, changes
        case used, submit, cancel, launch, begin, await, printed, expire, enable, pause, resume, importEvents,
            reload
        case push, pushDoor, pushHindrance, restoreUrgency
        case notifications, transfers, orderTransfer

        var question: any Question.Type {
            switch self {
            case .status: Status.self
            case .report: Report.self
            case .names: Names.self
            case .why: Why.self
            case .pending: Pending.self
            case .forecast: Forecast.self
            case .forecasts: Forecasts.self
            case .loads: Loads.self
            case .changes: Changes.self
            case .used: Used.self
            case .submit: Submit.self
            case .cancel: Cancel.self
            case .launch: Launch.self
            case .begin: Begin.self
            case .await: Await.self
            case .printed: Printed.self
            case .expire: Expire.self
            case .enable: Enable.self
            case .pause: Pause.self
            case .resume: Resume.self
            case .importEvents: ImportEvents.self
            case .reload: Reload.self
            case .push: Push.self
            case .pushDoor: PushDoor.self
            case .pushHindrance: PushHindrance.self
            case .restoreUrgency: RestoreUrgency.self
            case .notifications: Notifications.self
            case .transfers: Transfers.self
            case .orderTransfer: OrderTransfer.self
            }
        }
    }

    /// What `lull status` shows, of all apps.
    public struct Status: Question {
        public typealias Answer = StatusReport
        public static let word = Word.status
        public init() {}
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The same of one app or task. `isBrief`: only what a table shows of the tasks, a fifth of the bytes.
    public struct Report: Question {
        public typealias Answer = StatusReport
        public static let word = Word.report
        public var scope: LullModel.Pause.Scope
        public var isBrief: Bool
        public init(of scope: LullModel.Pause.Scope, isBrief: Bool) {
            (self.scope, self.isBrief) = (scope, isBrief)
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The names of the apps and tasks.
    public struct Names: Question {
        public typealias Answer = TakenNames
        public static let word = Word.names
        public init() {}
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Whether a task may run, what it waits for, and when it is likely to run; `by`: one more time to give the likelihood for.
    public struct Why: Question {
        public typealias Answer = Explanation
        public static let word = Word.why
        public var task: TaskIdentifier
        public var by: WallTime?
        public init(_ task: TaskIdentifier, by: WallTime? = nil) { (self.task, self.by) = (task, by) }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The requests that wait, of one app or of all.
    public struct Pending: Question {
        public typealias Answer = [TaskRequest]
        public static let word = Word.pending
        public var app: AppIdentifier?
        public init(_ app: AppIdentifier? = nil) { self.app = app }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The notifications of one app, or of all.
    public struct Notifications: Question {
        public typealias Answer = [NotificationReport]
        public static let word = Word.notifications
        public var app: AppIdentifier?
        public init(_ app: AppIdentifier? = nil) { self.app = app }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The transfers whose result their app has not received, of one app or of all; `transfer`: that one alone.
    public struct Transfers: Question {
        public typealias Answer = [TransferReport]
        public static let word = Word.transfers
        public var app: AppIdentifier?
        public var transfer: TransferID?
        public init(_ app: AppIdentifier? = nil) { self.app = app }
        public init(_ transfer: TransferID) { self.transfer = transfer }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// An operator pauses, resumes or cancels a transfer.
    public struct OrderTransfer: Order {
        public static let word = Word.orderTransfer
        public var transfer: TransferID
        public var ordering: TransferOrdering
        public init(_ transfer: TransferID, _ ordering: TransferOrdering) {
            (self.transfer, self.ordering) = (transfer, ordering)
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The forecast of one app in full.
    public struct Forecast: Question {
        public typealias Answer = ForecastReport
        public static let word = Word.forecast
        public var app: AppIdentifier
        public init(_ app: AppIdentifier) { self.app = app }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The forecasts of all apps in brief.
    public struct Forecasts: Question {
        public typealias Answer = [ForecastSummary]
        public static let word = Word.forecasts
        public init() {}
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// What the apps' workers use at this moment.
    public struct Loads: Question {
        public typealias Answer = [WorkerLoad]
        public static let word = Word.loads
        public init() {}
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Answered with the newest change's number once `status` shows something else than at the change `seen`; 0: at once.
    public struct Changes: Question {
        public typealias Answer = UInt64
        public static let word = Word.changes
        public static let isLong = true
        public var seen: UInt64
        public init(since seen: UInt64) { self.seen = seen }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Records a use of an app; `time` nil: now.
    public struct Used: Order {
        public static let word = Word.used
        public var app: AppIdentifier
        public var time: WallTime?
        public init(_ app: AppIdentifier, at time: WallTime? = nil) { (self.app, self.time) = (app, time) }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Submits a request. `instead`: it replaces the next one of `repeat` or `at`. `params`: values in place of defaults.
    public struct Submit: Order {
        public static let word = Word.submit
        public var task: TaskIdentifier
        public var earliestBegin: WallTime?
        public var instead: Bool
        public var params: [String: String]?
        public init(
            _ task: TaskIdentifier, earliestBegin: WallTime? = nil, instead: Bool = false,
            params: [String: String]? = nil
        ) {
            (self.task, self.earliestBegin, self.instead) = (task, earliestBegin, instead)
            self.params = params
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Cancels a task's request. `next`: also that of `repeat` or `at`.
    public struct Cancel: Order {
        public static let word = Word.cancel
        public var task: TaskIdentifier
        public var next: Bool
        public init(_ task: TaskIdentifier, next: Bool = false) { (self.task, self.next) = (task, next) }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Answered when the run has been launched.
    public struct Launch: Order {
        public static let word = Word.launch
        public static let isLong = true
        public var task: TaskIdentifier
        public var instead: Bool
        public var params: [String: String]?
        public init(_ task: TaskIdentifier, instead: Bool = false, params: [String: String]? = nil) {
            (self.task, self.instead, self.params) = (task, instead, params)
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The same, answered with the run.
    public struct Begin: Question {
        public typealias Answer = BegunRun
        public static let word = Word.begin
        public static let isLong = true
        public static let isAct = true
        public var task: TaskIdentifier
        public var instead: Bool
        public var params: [String: String]?
        public init(_ task: TaskIdentifier, instead: Bool = false, params: [String: String]? = nil) {
            (self.task, self.instead, self.params) = (task, instead, params)
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Answered when the run has ended.
    public struct Await: Question {
        public typealias Answer = EndedRun
        public static let word = Word.await
        public static let isLong = true
        public var run: RunID
        public init(_ run: RunID) { self.run = run }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The output of an open run from this byte on. `waits`: if there is none, the answer comes when there is some, or
    /// when the run is over.
    public struct Printed: Question {
        public typealias Answer = PrintedPart
        public static let word = Word.printed
        public static let isLong = true
        public var run: RunID
        public var from: Int
        public var waits: Bool
        public init(by run: RunID, from: Int = 0, waits: Bool = false) {
            (self.run, self.from, self.waits) = (run, from, waits)
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Expires a task's runs.
    public struct Expire: Order {
        public static let word = Word.expire
        public var task: TaskIdentifier
        public init(_ task: TaskIdentifier) { self.task = task }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Enables or disables; nil `task`: the app.
    public struct Enable: Order {
        public static let word = Word.enable
        public var app: AppIdentifier
        public var isEnabled: Bool
        public var task: TaskIdentifier?
        public init(_ app: AppIdentifier, _ isEnabled: Bool, task: TaskIdentifier? = nil) {
            (self.app, self.isEnabled, self.task) = (app, isEnabled, task)
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Pauses a scope. `reason`: why.
    public struct Pause: Order {
        public static let word = Word.pause
        public var scope: LullModel.Pause.Scope
        public var until: WallTime?
        public var reason: String?
        public init(_ scope: LullModel.Pause.Scope, until: WallTime?, reason: String?) {
            (self.scope, self.until, self.reason) = (scope, until, reason)
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Ends a pause.
    public struct Resume: Order {
        public static let word = Word.resume
        public var scope: LullModel.Pause.Scope
        public init(_ scope: LullModel.Pause.Scope) { self.scope = scope }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Takes in uses and other events from elsewhere, already validated line by line.
    public struct ImportEvents: Question {
        public typealias Answer = ImportedEvents
        public static let word = Word.importEvents
        public static let isLong = true
        public static let isRead = false
        public var events: [HistoryEvent]
        /// The output of the runs that end with these events, as in a line of JSON.
        public var outputs: [RunID: JSONValue]
        public init(_ events: [HistoryEvent], _ outputs: [RunID: JSONValue] = [:]) {
            (self.events, self.outputs) = (events, outputs)
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// A message from outside; answered when it is durable.
    public struct Push: Order {
        public static let word = Word.push
        public var app: AppIdentifier
        public var push: LullModel.Push
        public init(_ push: LullModel.Push, to app: AppIdentifier) { (self.push, self.app) = (push, app) }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// The rules for clients that push to an app over HTTP.
    public struct PushDoor: Question {
        public typealias Answer = PushRules
        public static let word = Word.pushDoor
        public var app: AppIdentifier
        public init(of app: AppIdentifier) { self.app = app }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// A process beside the host says why no pushes of a source reach an app at this time; nil: they do again.
    public struct PushHindrance: Order {
        public static let word = Word.pushHindrance
        public var app: AppIdentifier
        public var source: LullModel.Push.Source
        public var sentence: String?
        public init(of app: AppIdentifier, _ source: LullModel.Push.Source, _ sentence: String?) {
            (self.app, self.source, self.sentence) = (app, source, sentence)
        }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Gives urgent pushes back to an app that has lost urgency.
    public struct RestoreUrgency: Order {
        public static let word = Word.restoreUrgency
        public var app: AppIdentifier
        public init(of app: AppIdentifier) { self.app = app }
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }

    /// Reads the manifest anew.
    public struct Reload: Order {
        public static let word = Word.reload
        public init() {}
        public static func route<D: QuestionHandler>(to handler: D) -> Route<Self, D> { handler.answer }
    }
}

/// Answers the questions: a running host, or the state that one left.
public protocol QuestionHandler {
    associatedtype Failure: Error
    func answer(_ question: Ask.Status, _ respond: @escaping Respond<Ask.Status>) throws(Failure)
    func answer(_ question: Ask.Report, _ respond: @escaping Respond<Ask.Report>) throws(Failure)
    func answer(_ question: Ask.Names, _ respond: @escaping Respond<Ask.Names>) throws(Failure)
    func answer(_ question: Ask.Why, _ respond: @escaping Respond<Ask.Why>) throws(Failure)
    func answer(_ question: Ask.Pending, _ respond: @escaping Respond<Ask.Pending>) throws(Failure)
    func answer(_ question: Ask.Notifications, _ respond: @escaping Respond<Ask.Notifications>)
        throws(Failure)
    func answer(_ question: Ask.Transfers, _ respond: @escaping Respond<Ask.Transfers>) throws(Failure)
    func answer(_ question: Ask.OrderTransfer, _ respond: @escaping Respond<Ask.OrderTransfer>)
        throws(Failure)
    func answer(_ question: Ask.Forecast, _ respond: @escaping Respond<Ask.Forecast>) throws(Failure)
    func answer(_ question: Ask.Forecasts, _ respond: @escaping Respond<Ask.Forecasts>) throws(Failure)
    func answer(_ question: Ask.Loads, _ respond: @escaping Respond<Ask.Loads>) throws(Failure)
    func answer(_ question: Ask.Changes, _ respond: @escaping Respond<Ask.Changes>) throws(Failure)
    func answer(_ question: Ask.Used, _ respond: @escaping Respond<Ask.Used>) throws(Failure)
    func answer(_ question: Ask.Submit, _ respond: @escaping Respond<Ask.Submit>) throws(Failure)
    func answer(_ question: Ask.Cancel, _ respond: @escaping Respond<Ask.Cancel>) throws(Failure)
    func answer(_ question: Ask.Launch, _ respond: @escaping Respond<Ask.Launch>) throws(Failure)
    func answer(_ question: Ask.Begin, _ respond: @escaping Respond<Ask.Begin>) throws(Failure)
    func answer(_ question: Ask.Await, _ respond: @escaping Respond<Ask.Await>) throws(Failure)
    func answer(_ question: Ask.Printed, _ respond: @escaping Respond<Ask.Printed>) throws(Failure)
    func answer(_ question: Ask.Expire, _ respond: @escaping Respond<Ask.Expire>) throws(Failure)
    func answer(_ question: Ask.Enable, _ respond: @escaping Respond<Ask.Enable>) throws(Failure)
    func answer(_ question: Ask.Pause, _ respond: @escaping Respond<Ask.Pause>) throws(Failure)
    func answer(_ question: Ask.Resume, _ respond: @escaping Respond<Ask.Resume>) throws(Failure)
    func answer(_ question: Ask.ImportEvents, _ respond: @escaping Respond<Ask.ImportEvents>) throws(Failure)
    func answer(_ question: Ask.Push, _ respond: @escaping Respond<Ask.Push>) throws(Failure)
    func answer(_ question: Ask.PushDoor, _ respond: @escaping Respond<Ask.PushDoor>) throws(Failure)
    func answer(_ question: Ask.PushHindrance, _ respond: @escaping Respond<Ask.PushHindrance>)
        throws(Failure)
    func answer(_ question: Ask.RestoreUrgency, _ respond: @escaping Respond<Ask.RestoreUrgency>)
        throws(Failure)
    func answer(_ question: Ask.Reload, _ respond: @escaping Respond<Ask.Reload>) throws(Failure)
}
