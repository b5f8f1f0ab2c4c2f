/// One attempt at a transfer: the instructions for the process that makes it.
public struct TransferStart: Sendable, Hashable, Codable {
    public var id: TransferID
    /// Counts up with each attempt: news of an earlier attempt is ignored.
    public var attempt: UInt64
    /// The number in the names of its files.
    public var stem: UInt64
    /// The absolute path of the app's transfers' folder.
    public var folder: String
    public var order: TransferOrder
    public var rules: TransferRules
    /// The app's answers to challenges, one for each.
    public var answers: [GivenAnswer]
    /// Bytes that have to stay free on the disk.
    public var keepsFree: Int64
    /// Bytes that all transfers of the app together may still add to its folder by `limits: { disk }`; nil: no limit.
    public var room: Int64?

    public init(
        id: TransferID, attempt: UInt64, stem: UInt64, folder: String, order: TransferOrder,
        rules: TransferRules, answers: [GivenAnswer] = [], keepsFree: Int64 = 0,
        room: Int64? = nil
    ) {
        self.id = id
        self.attempt = attempt
        self.stem = stem
        self.folder = folder
        self.order = order
        self.rules = rules
        self.answers = answers
        self.keepsFree = keepsFree
        self.room = room
    }
}

/// The progress of a transfer in bytes; nil: not known.
public struct TransferProgress: Sendable, Hashable, Codable {
    public var received: Int64
    public var toReceive: Int64?
    public var sent: Int64
    public var toSend: Int64?

    public init(received: Int64 = 0, toReceive: Int64? = nil, sent: Int64 = 0, toSend: Int64? = nil) {
        self.received = received
        self.toReceive = toReceive
        self.sent = sent
        self.toSend = toSend
    }
}

/// News of an attempt. All but `progressed` end it.
public enum TransferNews: Sendable, Hashable, Codable {
    case progressed(TransferProgress)
    /// The file is whole, durable and in its place.
    case finished(TransferResult)
    case failed(TransferFailure)
    /// It has to be tried again: network gone, server busy, disk short. `retryAfter`: the server's wish.
    case interrupted(sentence: String, retryAfter: Duration?, received: Int64)
    /// The transfer waits for the answer to the challenge.
    case challenged(TransferChallenge)
}

/// The state of a transfer, for its app and for people.
public struct TransferState: Sendable, Hashable, Codable {
    public enum Phase: String, Sendable, Codable, CaseIterable {
        case waiting, active
        /// A challenge waits for the app's answer.
        case challenged
        case paused, finished, failed, cancelled

        public var isOver: Bool { self == .finished || self == .failed || self == .cancelled }
    }

    public var id: TransferID
    public var app: AppIdentifier
    public var order: TransferOrder
    public var asked: WallTime
    public var stem: UInt64
    public var phase: Phase
    public var progress: TransferProgress
    public var result: TransferResult?
    public var failure: TransferFailure?
    public var challenge: TransferChallenge?
    /// Failed attempts in a row.
    public var attempts: Int
    /// When it ended; nil: it has not.
    public var ended: WallTime?
    /// The SDK had begun to notify the app of the end, and has not confirmed it.
    public var wasTaking: Bool
    /// Whether another transfer can resume the part that has arrived.
    public var isResumable = false

    public init(
        id: TransferID, app: AppIdentifier, order: TransferOrder, asked: WallTime, stem: UInt64, phase: Phase,
        progress: TransferProgress = TransferProgress(), result: TransferResult? = nil,
        failure: TransferFailure? = nil, challenge: TransferChallenge? = nil, attempts: Int = 0,
        ended: WallTime? = nil, wasTaking: Bool = false
    ) {
        self.id = id
        self.app = app
        self.order = order
        self.asked = asked
        self.stem = stem
        self.phase = phase
        self.progress = progress
        self.result = result
        self.failure = failure
        self.challenge = challenge
        self.attempts = attempts
        self.ended = ended
        self.wasTaking = wasTaking
    }

    /// For people: a copy without the data that only the app may see.
    public var withoutSecrets: TransferState {
        var state = self
        state.order = order.withoutSecrets
        state.result = result?.withoutSecrets
        return state
    }

    /// The share of its bytes that have been received or sent, 0...1; nil: the total is not known.
    public var share: Double? {
        let isUpload = order.direction == .upload
        let (done, all) =
            isUpload
            ? (progress.sent, progress.toSend ?? order.expectedToSend)
            : (progress.received, progress.toReceive ?? order.expectedToReceive)
        if phase == .finished { return 1 }
        guard let all, all > 0 else { return nil }
        return (Double(done) / Double(all)).clamped(to: 0...1)
    }
}
