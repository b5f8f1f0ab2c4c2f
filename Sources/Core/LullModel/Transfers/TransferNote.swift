/// What an event `transfer` says became of a transfer.
///
/// Indirect, so that all other events pay one word for it.
public indirect enum TransferNote: Sendable, Hashable, Codable {
    /// It waits from the event's time on.
    case asked(TransferID, TransferOrder)
    /// An attempt is over, and another follows, not before `until`; the event's reason says why.
    case interrupted(TransferID, until: WallTime, received: Int64)
    case challenged(TransferID, TransferChallenge)
    case answered(TransferID, TransferAnswer)
    case finished(TransferID, TransferResult)
    case failed(TransferID, TransferFailure)
    /// `keepsPart`: so that another can go on with what has come.
    case cancelled(TransferID, keepsPart: Bool)
    /// By the app, Apple's `suspend`, or by an operator.
    case paused(TransferID, byOperator: Bool)
    case resumed(TransferID, byOperator: Bool)
    /// The app is being told of its end.
    case taking(TransferID)
    /// The app has been told: nothing of it is kept.
    case taken(TransferID)
    /// The app was launched for it and never took it.
    case givenUp(TransferID)

    public var id: TransferID {
        switch self {
        case .asked(let id, _), .interrupted(let id, _, _), .challenged(let id, _), .answered(let id, _),
            .finished(let id, _), .failed(let id, _), .cancelled(let id, _), .paused(let id, _),
            .resumed(let id, _), .taking(let id), .taken(let id), .givenUp(let id):
            id
        }
    }

    /// Whether it ended otherwise than the app wished.
    public var isFailure: Bool {
        switch self {
        case .failed, .givenUp: true
        case .asked, .interrupted, .challenged, .answered, .finished, .cancelled, .paused, .resumed,
            .taking, .taken:
            false
        }
    }

    /// What the history keeps of it once the app has been told of the end: what people may read, and the beginning of what
    /// is long.
    public var spent: TransferNote {
        guard case .asked(let id, var order) = withoutSecrets else { return withoutSecrets }
        func beginning(_ text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.spentScalars)))
        }
        order.url = beginning(order.url)
        order.label = order.label.map(beginning)
        return .asked(id, order)
    }

    private static let spentScalars = 200

    /// Without what is the app's alone.
    public var withoutSecrets: TransferNote {
        switch self {
        case .asked(let id, let order): return .asked(id, order.withoutSecrets)
        case .answered(let id, .credential(let user, _)):
            return .answered(id, .credential(user: user, password: ""))
        case .finished(let id, let result): return .finished(id, result.withoutSecrets)
        default: return self
        }
    }
}

/// What an app does with one of its transfers.
public enum TransferAct: String, Sendable, Codable, CaseIterable {
    case cancel
    /// Cancels it so that another transfer can go on with what has come.
    case cancelKeeping = "cancel_keeping"
    case suspend, resume
    /// It is about to tell the app of the end, then that it has.
    case taking, taken
}
