/// The verdict of one gate on a task at a moment.
public struct GateVerdict: Sendable, Equatable, Codable {
    public var gate: GateName
    public var isOpen: Bool
    /// A sentence with the actual and the required state.
    public var reason: String
    /// Since when it has been closed; nil while open or when it is not known.
    public var since: WallTime?
    /// When it opens by itself; nil when that depends on anything but time.
    public var until: WallTime?
    /// Of an open one: when it closes by itself; nil: it does not, or while closed.
    public var closes: WallTime?
    /// A remedy for people; nil while open or when only waiting helps.
    public var remedy: String?

    public init(
        _ gate: GateName, isOpen: Bool, reason: String, since: WallTime? = nil, until: WallTime? = nil,
        closes: WallTime? = nil, remedy: String? = nil
    ) {
        self.gate = gate
        self.isOpen = isOpen
        self.reason = reason
        self.since = since
        self.until = until
        self.closes = closes
        self.remedy = remedy
    }
}

/// The answer to "why does it not run": every gate with its verdict.
public struct Verdict: Sendable, Equatable, Codable {
    public var task: TaskIdentifier
    public var gates: [GateVerdict]
    /// The worth of a launch now, 0...1; nil while a gate is closed.
    public var score: Double?
    /// The earliest moment at which this verdict can change by time alone.
    public var next: WallTime?

    public init(task: TaskIdentifier, gates: [GateVerdict], score: Double? = nil, next: WallTime? = nil) {
        self.task = task
        self.gates = gates
        self.score = score
        self.next = next
    }

    public var closed: [GateVerdict] { gates.filter { !$0.isOpen } }
    public var mayRun: Bool { gates.allSatisfy(\.isOpen) }
}

/// The answer of `why` for one task at one moment.
public struct Explanation: Sendable, Equatable, Codable {
    public var verdict: Verdict
    public var outlook: Outlook

    public init(verdict: Verdict, outlook: Outlook) { (self.verdict, self.outlook) = (verdict, outlook) }
}
