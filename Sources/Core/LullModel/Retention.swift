/// How long the history keeps what it knows, how much of a run's output, and how large it may grow.
public struct Retention: Sendable, Equatable, Codable {
    public var events: Duration
    public var output: Duration
    /// Kept of each run.
    public var outputBytes: Int
    /// What it may take on the disk; beyond that the oldest details go.
    public var bytes: Int64

    public init(
        events: Duration = .days(400), output: Duration = .days(90), outputBytes: Int = 64 << 10,
        bytes: Int64 = 1 << 30
    ) {
        self.events = events
        self.output = output
        self.outputBytes = outputBytes
        self.bytes = bytes
    }
}
