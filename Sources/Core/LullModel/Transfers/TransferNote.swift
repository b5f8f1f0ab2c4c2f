/// The change of a transfer that an event `transfer` records.
///
/// Indirect, so that it costs all other events only one word.
public indirect enum TransferNote: Sendable, Hashable {
    /// It waits from the event's time on.
    case asked(TransferID, TransferOrder)
    /// An attempt is over, and another follows, at `until` or later; the event's reason says why.
    case interrupted(TransferID, until: WallTime, received: Int64)
    case challenged(TransferID, TransferChallenge)
    case answered(TransferID, TransferAnswer)
    case finished(TransferID, TransferResult)
    case failed(TransferID, TransferFailure)
    /// `keepsPart`: the part that has arrived is kept, and another transfer can resume it.
    case cancelled(TransferID, keepsPart: Bool)
    /// By the app (Apple's `suspend`) or by an operator.
    case paused(TransferID, byOperator: Bool)
    case resumed(TransferID, byOperator: Bool)
    /// The app is being notified of its end.
    case taking(TransferID)
    /// The app has been notified: nothing of the transfer is kept.
    case taken(TransferID)
    /// The app never took the result.
    case givenUp(TransferID)

    public var id: TransferID {
        switch self {
        case .asked(let id, _), .interrupted(let id, _, _), .challenged(let id, _), .answered(let id, _),
            .finished(let id, _), .failed(let id, _), .cancelled(let id, _), .paused(let id, _),
            .resumed(let id, _), .taking(let id), .taken(let id), .givenUp(let id):
            id
        }
    }

    /// Whether it ended in another way than the app wished.
    public var isFailure: Bool {
        switch self {
        case .failed, .givenUp: true
        case .asked, .interrupted, .challenged, .answered, .finished, .cancelled, .paused, .resumed,
            .taking, .taken:
            false
        }
    }

    /// The part that the history keeps once the app has been notified of the end: no secrets, and only the beginning of
    /// long texts.
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

    /// A copy without the data that only the app may see.
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

/// An action of an app on one of its transfers.
public enum TransferAct: String, Sendable, Codable, CaseIterable {
    case cancel
    /// Cancels it, and keeps the part that has arrived so that another transfer can resume it.
    case cancelKeeping = "cancel_keeping"
    case suspend, resume
    /// The SDK is about to notify the app of the end, and has done so.
    case taking, taken
}
