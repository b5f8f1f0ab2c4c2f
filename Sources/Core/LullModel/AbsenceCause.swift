/// Why no host could launch anything in a span of time, as far as that is known.
public enum AbsenceCause: String, Sendable, Codable, CaseIterable {
    /// The machine was rebooted meanwhile.
    case off
    case asleep
    /// No host ran, and the machine was on.
    case stopped
    /// The host ended without recording its end: it was killed or crashed.
    case lost
    /// The last host was a pass, and the next one came late.
    case passes
    /// The host was alive but got no processor time: a signal had stopped it, or it was frozen.
    case stalled
    /// The wall clock was set ahead: the time between never passed.
    case ahead
    /// The wall clock was set back. Nothing was missed; it shows the times after that twice.
    case back

    /// Whether the machine was off or asleep: `idle_clock: host` does not count that time.
    public var isOfMachine: Bool { self == .off || self == .asleep }
    /// Whether the absence did not cut off the runs that were under way.
    public var keepsRuns: Bool { ![.off, .stopped, .lost].contains(self) }

    /// The text for a table's cell, and before a span of time.
    public var phrase: String {
        switch self {
        case .off: "the machine was off or no host ran"
        case .asleep: "the host was asleep"
        case .stopped: "no host ran"
        case .lost: "no host is known to have run"
        case .passes: "no pass ran"
        case .stalled: "the host was frozen"
        case .ahead: "the clock was set ahead"
        case .back: "the clock was set back"
        }
    }

    /// What else is known of the cause; nil: nothing.
    public var detail: String? {
        self == .lost ? "it was killed or crashed" : nil
    }
}

/// A time at which a task was due, in a span in which no host could launch it.
public struct DueWhileAbsent: Sendable, Equatable, Codable {
    public let due: WallTime
    public let from: WallTime
    public let until: WallTime
    public let cause: AbsenceCause

    public init(due: WallTime, from: WallTime, until: WallTime, cause: AbsenceCause) {
        (self.due, self.from, self.until, self.cause) = (due, from, until, cause)
    }
}
