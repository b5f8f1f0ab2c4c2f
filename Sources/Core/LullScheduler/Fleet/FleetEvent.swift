public import LullModel

/// News of the fleet's database. Each call is answered exactly once, or fails.
public enum FleetEvent: Sendable, Equatable {
    /// The database answers from now on, as far as is known.
    case connected
    /// A sentence that says why.
    case unreachable(String)
    case answered(UInt64, FleetAnswer)
    /// It is not known whether the call was carried out.
    case failed(UInt64, String)
}

/// The identity of a process in its fleet.
public struct FleetIdentity: Sendable, Equatable {
    /// A random number of this start; host names are not unique.
    public var host: String
    /// The identifier of the state folder, which stays the same.
    public var place: String
    /// The name for people.
    public var name: String
    /// Identifies the folder and the boot of the state: an earlier process with the same value is over.
    public var home: String

    public init(host: String = "", place: String = "", name: String = "", home: String = "") {
        (self.host, self.place, self.name, self.home) = (host, place, name, home)
    }
}

extension Now {
    /// The time since the boot, sleep included: the clock by which a lease is trusted.
    var boot: Duration { .nanoseconds(monotonic.nanoseconds) + asleep }
}
