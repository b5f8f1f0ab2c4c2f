public import LullModel

/// What a client asks of a running host.
///
/// The wire is JSON in frames (`ControlFrame`); a request carries the version of the protocol, and a host answers a
/// version that it does not speak with a sentence.
public enum ControlRequest: Sendable, Equatable, Codable {
    case status
    case why(TaskIdentifier)
    /// What is to come of a task; `by`: one more time to give the likelihood for.
    case outlook(TaskIdentifier, by: WallTime?)
    case pending(AppIdentifier?)
    /// Of one app in full, or of all in brief.
    case forecast(AppIdentifier?)
    case used(AppIdentifier, at: WallTime?)
    /// `instead`: of what `repeat` or `at` asks for next; nil, as from older clients: beside it.
    case submit(TaskIdentifier, earliestBegin: WallTime?, instead: Bool? = nil)
    /// `next`: also what `repeat` or `at` asks for.
    case cancel(TaskIdentifier, next: Bool? = nil)
    /// Answered when the run has been launched, or refused.
    case launch(TaskIdentifier, instead: Bool? = nil)
    /// Answered when the run has ended.
    case await(RunID)
    case expire(TaskIdentifier)
    /// Nil `task`: the app.
    case enable(AppIdentifier, Bool, task: TaskIdentifier? = nil)
    /// `reason`: by whom and why.
    case pause(Pause.Scope, until: WallTime?, reason: String?)
    case resume(Pause.Scope)
    /// Uses and other events from elsewhere, already validated line by line.
    case importEvents([HistoryEvent])
    case reload
    /// Answered when something that `status` shows is another than at the change of this number; 0: at once.
    case changes(since: UInt64)
    /// What the apps' workers use at this moment.
    case loads

    /// Whether its answer may take any time: a run's end, or a backup.
    var isLong: Bool {
        switch self {
        case .launch, .await, .importEvents, .changes: true
        default: false
        }
    }
}

/// The host's answer.
public enum ControlResponse: Sendable, Equatable, Codable {
    case status(StatusReport)
    case verdict(Verdict)
    case outlook(Outlook)
    case pending([TaskRequest])
    case forecast(ForecastReport)
    case forecasts([ForecastSummary])
    /// `next`: what becomes of the task's own next time; a sentence.
    case launched(RunID, next: String? = nil)
    case ended(RunID, Outcome, reason: String?)
    case imported(added: Int, known: Int)
    case changed(UInt64)
    case loads([WorkerLoad])
    /// Carried out; a sentence for people.
    case done(String)
    /// Not carried out; the sentence says why and what to do.
    case refused(String)
}

/// A request with the version of the protocol it is written in.
struct ControlEnvelope: Codable {
    static let version = 1
    var version = ControlEnvelope.version
    var request: ControlRequest
}
