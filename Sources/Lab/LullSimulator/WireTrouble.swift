/// What goes wrong between a host and its workers, beside that they die.
public struct WireTrouble: Sendable, Equatable {
    /// The chance that a frame takes a while; a socket keeps the order, so what is written after it waits.
    public var delays = 0.0
    /// How long, in milliseconds.
    public var milliseconds: ClosedRange<Int64> = 1...20
    /// The chance that a plugin does something to the socket within a run that it should not.
    public var strays = 0.0
    /// The chance that a handler submits many times at once, and waits for none of the answers.
    public var bursts = 0.0
    /// The chance that a process that dies has written something just before: its completion, or half a frame.
    public var lastWords = 0.0

    public init() {}
}
