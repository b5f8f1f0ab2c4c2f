/// When a task is launched by the clock: what `at` says.
public struct ExactTimes: Sendable, Hashable, Codable {
    /// In the manifest's order.
    public var calendar: [CalendarTime]
    /// `@reboot`: once after each boot of the host.
    public var isAtBoot: Bool

    public init(calendar: [CalendarTime] = [], isAtBoot: Bool = false) {
        self.calendar = calendar
        self.isAtBoot = isAtBoot
    }

    /// As they are written, for people.
    public var texts: [String] { calendar.map(\.text) + (isAtBoot ? ["@reboot"] : []) }
}

/// What becomes of a time at which the task could not be launched: the host was off, or a gate was closed.
public enum MissedTimes: String, Sendable, Codable, CaseIterable {
    /// As soon as it can be, one launch for all that were missed.
    case one
    /// As soon as it can be, a launch for each.
    case all
    /// None: the next time is waited for.
    case skip
}
