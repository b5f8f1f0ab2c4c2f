/// The time constants of a fleet.
public enum FleetTimes {
    /// How long a lease lasts unless it is renewed, by the database's clock, for runs with a short time limit.
    public static let lease: Duration = .seconds(60)
    /// How long a lease lasts at most where the manifest does not say.
    public static let mostUsualLease: Duration = .minutes(10)
    /// The range for `lease` of a task.
    public static let leases: ClosedRange<Duration> = .minutes(1) ... .hours(24)
    /// How often a host renews its leases.
    public static let beat: Duration = .seconds(15)
    /// A host trusts its lease for this much less than the lease lasts, by the clock that also counts sleep.
    public static let margin: Duration = .seconds(10)
    /// Where the manifest does not say, a lease lasts for the time limit divided by this.
    static let leaseShare = 12
    /// A run that does not end after its warning is killed this long after the host's trust in its lease has ended.
    public static let latestEnd: Duration = .seconds(20)
    /// A host that does not kill the run by then hangs: this much later the run's supervisor ends it without the host. That is
    /// 15 s before another host may get the slot.
    public static let supervisorDelay: Duration = .seconds(5)
    /// This long after the end of a lease nothing runs for it any more, even if its host hangs.
    public static let lateness: Duration = .seconds(15)
    /// How long after its end the database takes a lease back.
    public static let grace: Duration = .seconds(30)
    /// A host without a sign of life for this long does not live.
    public static let life: Duration = .seconds(60)
    /// A host that ends waits no longer than this for the answer to its goodbye.
    public static let goodbye: Duration = .seconds(2)
    /// If no host at all gives a sign of life for longer than this, the database was away or its clock was set: the time of
    /// leases then stands still.
    public static let silence: Duration = .seconds(20)
    /// A clock that is wrong by this much is reported: leases use the database's clock, times of `at` the host's.
    public static let wrongClock: Duration = .seconds(5)
    /// How long after its nominal time a slot may be leased where the manifest says nothing.
    public static let tolerance: Duration = .days(30)
    /// How long ended slots are kept.
    public static let kept: Duration = .days(90)
    /// The number of leases after which a slot fails.
    public static let attempts = 3
    /// How long after its time a slot is reserved for hosts with the definition that it was offered with.
    public static let deference: Duration = .minutes(10)
    /// How long before its time a slot is offered, at most.
    public static let horizon: Duration = .hours(2)
    /// How much later than the best host the worst host claims, at most.
    public static let timeout: Duration = .seconds(30)
    /// Slots that one beat offers, at most.
    public static let mostOffers = 200
    /// News that one answer brings, at most.
    public static let mostNews = 500
}
