/// Why no host could launch anything in a span of time, as far as that is known.
public enum AbsenceCause: String, Sendable, Codable, CaseIterable {
    /// The machine was started anew meanwhile.
    case off
    case asleep
    /// No host ran, and the machine was on.
    case stopped
    /// The host ended without a word: it was killed, or crashed.
    case lost
    /// The last host was a pass, and the next one came late.
    case passes
    /// The host was alive and was not given the processor: it was stopped by a signal, or frozen.
    case stalled
    /// The wall clock was set ahead: nobody lived through the time between.
    case ahead
    /// The wall clock was set back by so much. Nothing was missed; what it shows from then on comes twice.
    case back

    /// Whether the machine was off or asleep: `idle_clock: host` does not count that time.
    public var isOfMachine: Bool { self == .off || self == .asleep }
    /// Whether the host was alive, so that its runs were not cut off.
    public var keepsRuns: Bool { ![.off, .stopped, .lost].contains(self) }

    /// In a table's cell, and before a span of time.
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

    /// What is known beside that; nil: nothing.
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
