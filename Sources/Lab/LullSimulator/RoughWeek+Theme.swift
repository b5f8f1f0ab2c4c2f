extension RoughWeek {
    /// What happens in a week besides the usual. Each theme has its own generator, so a seed has the same usual week in all.
    public enum Theme: String, CaseIterable, Sendable {
        case usual, events, pushes, notifications, transfers
    }

    public static func world(seed: UInt64, of theme: Theme) -> World {
        switch theme {
        case .usual: world(seed: seed)
        case .events: worldOfEvents(seed: seed)
        case .pushes: pushed(seed: seed)
        case .notifications: notifying(seed: seed)
        case .transfers: transferring(seed: seed)
        }
    }
}
