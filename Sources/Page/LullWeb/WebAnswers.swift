public import Foundation
public import LullAnswers
public import LullControl
public import LullHistory
public import LullModel

/// What the page's server asks, answered in the words and the JSON of the commands.
///
/// The server decides nothing and words nothing: a question here is a question to the host or to its history.
public protocol WebAnswers: Sendable {
    /// What `lull status --json` prints, and the words of `lull status` beside it.
    func status() async throws -> Data
    /// What `lull why TASK --json` prints, and the words of `lull why` beside it; the command is for who has the token.
    func why(_ task: TaskIdentifier, showsCommand: Bool) async throws -> Data
    /// What `lull forecast APP --json` prints.
    func forecast(of app: AppIdentifier) async throws -> Data
    /// What `lull transfers APP --json` prints, and the words of `lull transfers` beside it.
    func transfers(of app: AppIdentifier) async throws -> Data
    func history(_ query: HistoryQuery) async throws -> [HistoryEvent]
    /// As `RunList.read` tells.
    func runs(_ query: RunQuery) async throws -> RunList
    /// What `lull history RUN` says of where a run came from; nil: nothing is recorded of that.
    func origin(of run: RunID) async throws -> String?
    /// `isOpen`: the run is under way, and this is what it has printed until now.
    func output(of run: RunID) async throws -> (kept: RunOutput?, isOpen: Bool)
    /// What became of the setting's tasks in a span, as `Timeline.read` tells.
    func timeline(
        _ setting: WebSetting, from: WallTime, to: WallTime
    ) async throws -> (timeline: Timeline, isCut: Bool)
    /// The report itself, for figures.
    func report() async throws -> StatusReport
    /// Whether a host answers, or only what one left is read.
    func isRunning() async -> Bool
    /// What the apps' workers use; none without a host.
    func loads() async throws -> [WorkerLoad]
    /// The tasks in the manifest's order, and the zone that they live in.
    func setting() async throws -> WebSetting
    /// Hands over at most `limit` of the events after number `seq`. Returns the number to go on after.
    func follow(
        after seq: Int64, limit: Int, _ body: @escaping @Sendable (HistoryEvent) -> Void
    ) async throws -> Int64
    /// Changes something.
    func carryOut(_ order: any Order) async throws -> Said
    /// What is asked of whoever pushes to the app; nil: it takes no pushes.
    func pushRules(of app: AppIdentifier) async throws -> PushRules?
    /// What became of all hosts' tasks in a span, as `FleetGrid.read` tells; the span by its name, and a part of hosts' names.
    func fleet(_ span: TimelineSpan, finding name: String) async throws -> Data
    /// The fleet's figures, in OpenMetrics.
    func fleetMetrics() async throws -> String
    /// Returns once more has happened than `known`.
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

/// What the timeline is drawn on.
public struct WebSetting: Sendable {
    public var now: WallTime
    public var zone: Zone
    public var tasks: [TaskIdentifier]
    /// Those of them that are disabled, by the manifest or an operator.
    public var disabled: Set<TaskIdentifier>
    /// Of those that run after others.
    public var chains: [TaskIdentifier: [ChainLink]] = [:]
    /// That no host runs; nil: one does.
    public var absent: StatusReport.Absent?

    public init(now: WallTime, zone: Zone, tasks: [TaskIdentifier], disabled: Set<TaskIdentifier> = []) {
        self.now = now
        self.zone = zone
        self.tasks = tasks
        self.disabled = disabled
    }
}

/// Why a question is not answered, or what was asked is not done: a sentence for people.
public struct WebRefusal: Error, Sendable, Equatable {
    public var status: Int
    public var sentence: String
    /// After so long the same may be taken; nil: time alone does not help, or nobody knows.
    public var wait: Duration?

    public init(_ status: Int, _ sentence: String, wait: Duration? = nil) {
        (self.status, self.sentence, self.wait) = (status, sentence, wait)
    }

    /// What a host refuses; `status`: where time alone does not help.
    public init(_ refusal: ControlRefusal, otherwise status: Int) {
        self.init(refusal.wait == nil ? status : 429, refusal.sentence, wait: refusal.wait)
    }
}
