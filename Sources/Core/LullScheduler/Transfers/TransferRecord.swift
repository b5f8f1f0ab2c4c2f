public import LullModel

/// One transfer, as recorded in the history.
public struct TransferRecord: Sendable, Equatable, Codable {
    public internal(set) var state: TransferState
    /// The app has suspended it.
    public internal(set) var isSuspended = false
    /// The operator who has paused it; nil: none has.
    public internal(set) var heldBy: String?
    /// No attempt before then, as the last one has failed.
    public internal(set) var notBefore: WallTime?
    public internal(set) var interruptedAt: WallTime?
    /// The milliseconds by which the clock was set since it was asked for, ahead minus back: its limits are spans, not
    /// moments.
    var stepped: Int64 = 0
    /// Why the last attempt came to nothing.
    public internal(set) var reason: String?
    /// The app's answers, one for each question; nil: none yet.
    public internal(set) var answers: [GivenAnswer]?
    /// How often in a row the app was launched for it, and took no transfer of its session.
    public internal(set) var launches = 0
    /// A part has come that another transfer can resume.
    public internal(set) var keepsPart = false
    /// Another transfer resumes it, and owns the files now.
    public internal(set) var isGoneOnWith = false

    init(state: TransferState) { self.state = state }

    /// The most launches in vain.
    static let mostLaunches = 3

    var mayLaunch: Bool { state.order.sendsLaunchEvents && launches < Self.mostLaunches }
    var isHeld: Bool { heldBy != nil }
    var isAsking: Bool { state.phase == .challenged }
    /// Whether neither app, operator nor server holds it back.
    var isWanted: Bool { state.phase == .waiting && !isSuspended && !isHeld }

    /// When it was asked for, in the clock's present reading.
    var asked: WallTime { state.asked + .milliseconds(stepped) }
    /// By when it has to have ended.
    var limit: WallTime { asked + state.order.wholeLimit }

    /// Moves its times by a step of the clock.
    mutating func clockSet(by milliseconds: Int64) {
        stepped += milliseconds
        let step = Duration.milliseconds(milliseconds)
        notBefore = notBefore.map { $0 + step }
        interruptedAt = interruptedAt.map { $0 + step }
    }

    mutating func apply(_ note: TransferNote, at time: WallTime, by: String?, reason: String?) {
        if state.phase.isOver, !note.isOfItsEnd { return }
        switch note {
        case .asked: break
        case .interrupted(_, let until, let received):
            // An attempt that made progress begins the count anew.
            state.attempts = received > state.progress.received ? 1 : state.attempts + 1
            state.progress.received = max(0, received)
            notBefore = until
            interruptedAt = time
            self.reason = reason
        case .challenged(_, let challenge):
            state.phase = .challenged
            state.challenge = challenge
        case .answered(_, let answer):
            state.phase = .waiting
            if let challenge = state.challenge { keep(GivenAnswer(answer, to: challenge)) }
            state.challenge = nil
            launches = 0
        case .finished(_, let result):
            end(.finished, at: time)
            state.result = result
            state.progress = TransferProgress(
                received: result.received, toReceive: result.received, sent: result.sent, toSend: result.sent)
        case .failed(_, let failure):
            end(.failed, at: time)
            state.failure = failure
            keepsPart = failure.isResumable
        case .cancelled(_, let keepsPart):
            end(.cancelled, at: time)
            self.keepsPart = keepsPart
        case .paused(_, let byOperator):
            if byOperator { heldBy = by ?? "an operator" } else { isSuspended = true }
        case .resumed(_, let byOperator):
            if byOperator { heldBy = nil } else { isSuspended = false }
            notBefore = nil
        case .taking: state.wasTaking = true
        case .taken, .givenUp: if isGoneOnWith { keepsPart = false }
        }
    }

    /// Keeps the last answers only: a transfer may be redirected to ever more servers.
    private mutating func keep(_ given: GivenAnswer) {
        let others = (answers ?? []).filter {
            !$0.holds(for: given.challenge) && !Mutation.keepsOneAnswer.isOn
        }
        answers = others.suffix(Self.mostAnswers - 1) + [given]
    }

    private static let mostAnswers = 8

    private mutating func end(_ phase: TransferState.Phase, at time: WallTime) {
        state.phase = phase
        state.ended = time
        state.challenge = nil
        answers = nil
        notBefore = nil
        launches = 0
    }
}

extension TransferNote {
    /// Whether the note still applies to a transfer that is over.
    fileprivate var isOfItsEnd: Bool {
        switch self {
        case .taking, .taken, .givenUp: true
        case .asked, .interrupted, .challenged, .answered, .finished, .failed, .cancelled, .paused, .resumed:
            false
        }
    }
}
