/// Faults between a host and its workers, besides their deaths.
public struct WireTrouble: Sendable, Equatable {
    /// The chance that a frame takes a while; a socket keeps the order, so what is written after it waits.
    public var delays = 0.0
    /// How long, in milliseconds.
    public var milliseconds: ClosedRange<Int64> = 1...20
    /// The chance that a plugin misuses the socket within a run.
    public var strays = 0.0
    /// The chance that a handler submits many times at once, and waits for none of the answers.
    public var bursts = 0.0
    /// The chance that a process that dies has written something just before: its completion, or half a frame.
    public var lastWords = 0.0

    public init() {}
}
