public import LullModel

/// What the host hears of the fleet's database. Each call is answered exactly once, or fails.
public enum FleetEvent: Sendable, Equatable {
    /// It answers from here on, as far as is known.
    case connected
    /// A sentence that says why.
    case unreachable(String)
    case answered(UInt64, FleetAnswer)
    /// Whether the call was carried out is not known.
    case failed(UInt64, String)
}

/// Who a process is in its fleet.
public struct FleetIdentity: Sendable, Equatable {
    /// A random number of this start; host names are no identity.
    public var host: String
    /// The state folder's own, which stays.
    public var place: String
    /// For people.
    public var name: String
    /// Which folder of which boot the state is: an earlier process with the same is over.
    public var home: String

    public init(host: String = "", place: String = "", name: String = "", home: String = "") {
        (self.host, self.place, self.name, self.home) = (host, place, name, home)
    }
}

extension Now {
    /// Since the boot, with the time asleep: the clock by which a lease is trusted.
    var boot: Duration { .nanoseconds(monotonic.nanoseconds) + asleep }
}
