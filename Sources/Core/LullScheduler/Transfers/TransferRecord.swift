public import LullModel

/// One transfer, as the history has it.
public struct TransferRecord: Sendable, Equatable, Codable {
    public internal(set) var state: TransferState
    /// By the app.
    public internal(set) var isSuspended = false
    /// By an operator.
    public internal(set) var isHeld = false
    /// No attempt before then, as the last one has failed.
    public internal(set) var notBefore: WallTime?
    public internal(set) var interruptedAt: WallTime?
    /// By how many milliseconds the clock was set ahead, less by how many it was set back, since it was asked for: its limits
    /// are spans, and no moments.
    var stepped: Int64 = 0
    /// Why the last attempt came to nothing.
    public internal(set) var reason: String?
    /// What the app has answered, once for each question; nil: nothing yet.
    public internal(set) var answers: [GivenAnswer]?
    /// How often in a row the app was launched to hear of it, and took none of its session.
    public internal(set) var launches = 0
    /// Something has come that another transfer can go on with.
    public internal(set) var keepsPart = false
    /// Another one does: the files are its own now.
    public internal(set) var isGoneOnWith = false

    init(state: TransferState) { self.state = state }

    /// In vain.
    static let mostLaunches = 3

    var mayLaunch: Bool { state.order.sendsLaunchEvents && launches < Self.mostLaunches }
    var isAsking: Bool { state.phase == .challenged }
    /// Whether it may be under way, as far as app, operator and server let it.
    var isWanted: Bool { state.phase == .waiting && !isSuspended && !isHeld }

    /// When it was asked for, in the clock's present reading.
    var asked: WallTime { state.asked + .milliseconds(stepped) }
    /// Until then it has to have ended.
    var limit: WallTime { asked + state.order.wholeLimit }

    /// The clock was set.
    mutating func clockSet(by milliseconds: Int64) {
        stepped += milliseconds
        let step = Duration.milliseconds(milliseconds)
        notBefore = notBefore.map { $0 + step }
        interruptedAt = interruptedAt.map { $0 + step }
    }

    mutating func apply(_ note: TransferNote, at time: WallTime, reason: String?) {
        if state.phase.isOver, !note.isOfItsEnd { return }
        switch note {
        case .asked: break
        case .interrupted(_, let until, let received):
            // Who gets on begins to count anew.
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
        case .paused(_, let byOperator): if byOperator { isHeld = true } else { isSuspended = true }
        case .resumed(_, let byOperator):
            if byOperator { isHeld = false } else { isSuspended = false }
            notBefore = nil
        case .taking: state.wasTaking = true
        case .taken, .givenUp: if isGoneOnWith { keepsPart = false }
        }
    }

    /// One that redirects to ever other servers is not remembered without end.
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
    /// What can still be said of a transfer that is over.
    fileprivate var isOfItsEnd: Bool {
        switch self {
        case .taking, .taken, .givenUp: true
        case .asked, .interrupted, .challenged, .answered, .finished, .failed, .cancelled, .paused, .resumed:
            false
        }
    }
}
