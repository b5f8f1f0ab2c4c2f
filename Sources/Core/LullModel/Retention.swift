/// How long the history keeps events and output, how much output of a run, and how large the history may grow.
public struct Retention: Sendable, Equatable, Codable {
    public var events: Duration
    public var output: Duration
    /// Bytes of output that are kept of each run.
    public var outputBytes: Int
    /// The size that the history may have on the disk; beyond it the oldest details are deleted.
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
