/// How long the history keeps what it knows, and how much of a run's output.
public struct Retention: Sendable, Equatable, Codable {
    public var events: Duration
    public var output: Duration
    /// Kept of each run.
    public var outputBytes: Int

    public init(events: Duration = .days(400), output: Duration = .days(90), outputBytes: Int = 64 << 10) {
        self.events = events
        self.output = output
        self.outputBytes = outputBytes
    }
}
