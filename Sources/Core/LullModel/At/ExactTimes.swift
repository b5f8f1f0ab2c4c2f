/// The times at which a task is launched: its `at`.
public struct ExactTimes: Sendable, Hashable, Codable {
    /// In the manifest's order.
    public var calendar: [CalendarTime]
    /// `@reboot`: once after each boot of the host.
    public var isAtBoot: Bool

    public init(calendar: [CalendarTime] = [], isAtBoot: Bool = false) {
        self.calendar = calendar
        self.isAtBoot = isAtBoot
    }

    /// The texts from the manifest, for people.
    public var texts: [String] { calendar.map(\.text) + (isAtBoot ? ["@reboot"] : []) }
}

/// How a missed time is made up for: the host was off, or a gate was closed.
public enum MissedTimes: String, Sendable, Codable, CaseIterable {
    /// One launch for all missed times, as soon as possible.
    case one
    /// A launch for each missed time, as soon as possible.
    case all
    /// No launch: the task waits for its next time.
    case skip
}
