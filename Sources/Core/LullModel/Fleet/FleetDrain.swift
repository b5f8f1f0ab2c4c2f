/// A drain: why a host takes no slots of the fleet. Times are spans, because the clocks of hosts differ.
public struct FleetDrain: Sendable, Equatable, Codable {
    /// The operator who asked for it; nil: not known.
    public var by: String?
    public var reason: String?
    /// Since it was asked for, in milliseconds.
    public var ago: Int64
    /// Until it ends by itself, in milliseconds; nil: an operator has to end it.
    public var left: Int64?

    public init(by: String? = nil, reason: String? = nil, ago: Int64 = 0, left: Int64? = nil) {
        (self.by, self.reason, self.ago, self.left) = (by, reason, ago, left)
    }
}
