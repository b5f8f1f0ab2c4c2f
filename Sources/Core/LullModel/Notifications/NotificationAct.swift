/// The change of an app's notifications that an event `notification` records.
///
/// Indirect, so that it costs all other events only one word.
public indirect enum NotificationAct: Sendable, Equatable {
    /// It waits from the event's time on; an earlier one with the same identifier waits no more.
    case added(AppNotification)
    /// It was due at that time. One that does not repeat waits no more.
    case delivered(identifier: String, due: WallTime)
    /// It waits no more, and was not delivered.
    case removed(identifier: String)
    /// The clock was set back to before its addition: its interval now counts from the event's time.
    case recounted(identifier: String)
    /// It is no longer among those that were delivered.
    case cleared(identifier: String)
    case badge(Int64)

    /// Nil: it is about the app's badge.
    public var identifier: String? {
        switch self {
        case .added(let notification): notification.identifier
        case .delivered(let identifier, _), .removed(let identifier), .recounted(let identifier),
            .cleared(let identifier):
            identifier
        case .badge: nil
        }
    }
}

extension NotificationAct {
    /// For a line of the history: "added 'reminder': Water the plants".
    public var words: String {
        switch self {
        case .added(let notification):
            "added '\(notification.identifier)'"
                + (notification.text.isEmpty ? "" : " (\(Self.line(notification.text.head)))")
        case .delivered(let identifier, _): "delivered '\(identifier)'"
        case .removed(let identifier): "removed '\(identifier)' before it was due"
        case .recounted(let identifier): "'\(identifier)' waits again"
        case .cleared(let identifier): "removed '\(identifier)' after its delivery"
        case .badge(let count): "badge \(count)"
        }
    }

    private static func line(_ text: String) -> String {
        let first = text.prefix { !$0.isNewline }
        return first.count > 80 ? first.prefix(79) + "…" : String(first)
    }
}
