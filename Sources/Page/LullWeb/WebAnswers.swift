public import Foundation
public import LullAnswers
public import LullControl
public import LullHistory
public import LullModel

/// The answers that the page's server needs, in the words and the JSON of the commands.
///
/// The server decides nothing and words nothing: each question goes to the host or to its history.
public protocol WebAnswers: Sendable {
    /// The JSON of `lull status --json` for a part of the tasks, and the words of `lull status` beside it.
    func status(_ slice: TaskSlice) async throws -> Data
    /// The JSON of `lull why TASK --json`, and the words of `lull why` beside it; the command only for a client with
    /// the token.
    func why(_ task: TaskIdentifier, showsCommand: Bool) async throws -> Data
    /// The JSON of `lull forecast APP --json`.
    func forecast(of app: AppIdentifier) async throws -> Data
    /// The JSON of `lull transfers APP --json`, and the words of `lull transfers` beside it.
    func transfers(of app: AppIdentifier) async throws -> Data
    func history(_ query: HistoryQuery) async throws -> [HistoryEvent]
    /// As `RunList.read` returns it.
    func runs(_ query: RunQuery) async throws -> RunList
    /// The origin of a run in the words of `lull history RUN`; nil: none is recorded.
    func origin(of run: RunID) async throws -> String?
    /// `isOpen`: the run is under way, and this is its output so far.
    func output(of run: RunID) async throws -> (kept: RunOutput?, isOpen: Bool)
    /// The timeline of the setting's tasks in a span, as `Timeline.read` returns it.
    func timeline(
        _ setting: WebSetting, from: WallTime, to: WallTime
    ) async throws -> (timeline: Timeline, isCut: Bool)
    /// The report itself, for figures.
    func report() async throws -> StatusReport
    /// Whether a host answers; if not, only the state that one left is read.
    func isRunning() async -> Bool
    /// The use of the apps' workers; empty without a host.
    func loads() async throws -> [WorkerLoad]
    /// The tasks in the manifest's order, and the zone of their times.
    func setting() async throws -> WebSetting
    /// Hands over at most `limit` of the events after number `seq`. Returns the number to go on after.
    func follow(
        after seq: Int64, limit: Int, _ body: @escaping @Sendable (HistoryEvent) -> Void
    ) async throws -> Int64
    /// Carries out an order that changes something; `bearer`: who gave it, nil for a service that pushes.
    func carryOut(_ order: any Order, for bearer: Bearer?) async throws -> OrderAnswer
    /// The rules for a client that pushes to the app; nil: it takes no pushes.
    func pushRules(of app: AppIdentifier) async throws -> PushRules?
    /// The results of all hosts' tasks in a span, as `FleetGrid.read` returns them; `name`: a part of the hosts' names.
    func fleet(_ span: TimelineSpan, finding name: String) async throws -> Data
    /// The fleet's figures, in OpenMetrics.
    func fleetMetrics() async throws -> String
    /// Returns the newest change's number once there is a change after `known`.
    func change(after known: UInt64?) async throws -> UInt64
}

extension WebAnswers {
    public func pushRules(of app: AppIdentifier) async throws -> PushRules? { nil }
    public func transfers(of app: AppIdentifier) async throws -> Data { Data("[]".utf8) }
    public func fleet(_ span: TimelineSpan, finding name: String) async throws -> Data {
        throw WebRefusal(404, "This host is in no fleet.")
    }
    public func fleetMetrics() async throws -> String { throw WebRefusal(404, "This host is in no fleet.") }
}

/// The time, the zone and the tasks for which a timeline is drawn.
public struct WebSetting: Sendable {
    public var now: WallTime
    public var zone: Zone
    public var tasks: [TaskIdentifier]
    /// Their apps.
    public var apps: [TaskIdentifier: AppIdentifier] = [:]
    /// Those of them that are disabled, by the manifest or an operator.
    public var disabled: Set<TaskIdentifier>
    /// Those of them whose plugin can't be loaded.
    public var lacks: [TaskIdentifier: GateVerdict] = [:]
    /// The links of the tasks that run after others.
    public var chains: [TaskIdentifier: [ChainLink]] = [:]
    /// Set while no host runs; nil: one does.
    public var absent: StatusReport.Absent?

    public init(now: WallTime, zone: Zone, tasks: [TaskIdentifier], disabled: Set<TaskIdentifier> = []) {
        self.now = now
        self.zone = zone
        self.tasks = tasks
        self.disabled = disabled
    }
}

/// Why a question is not answered, or an order is not carried out: a sentence for people.
public struct WebRefusal: Error, Sendable, Equatable {
    public var status: Int
    public var sentence: String
    /// The span after which the same may be accepted; nil: waiting does not help, or nobody knows.
    public var wait: Duration?

    public init(_ status: Int, _ sentence: String, wait: Duration? = nil) {
        (self.status, self.sentence, self.wait) = (status, sentence, wait)
    }

    /// The refusal of a host; `status`: used where waiting does not help.
    public init(_ refusal: ControlRefusal, otherwise status: Int) {
        self.init(refusal.wait == nil ? status : 429, refusal.sentence, wait: refusal.wait)
    }
}
