/// The spans of a fleet.
public enum FleetTimes {
    /// How long a lease lasts unless it is renewed, by the database's clock: that of a run with a short limit.
    public static let lease: Duration = .seconds(60)
    /// How long one lasts at most where the manifest does not say.
    public static let mostUsualLease: Duration = .minutes(10)
    /// What `lease` of a task may say.
    public static let leases: ClosedRange<Duration> = .minutes(1) ... .hours(24)
    /// How often a host renews what it holds.
    public static let beat: Duration = .seconds(15)
    /// A host trusts its lease for this much less than it lasts, by the clock that counts sleep too.
    public static let margin: Duration = .seconds(10)
    /// Where the manifest does not say a lease lasts for this share of the time limit.
    static let leaseShare = 12
    /// A run that does not end when it is warned is killed this long after its lease was trusted last.
    public static let latestEnd: Duration = .seconds(20)
    /// A host that lets that pass hangs: so much later the run's supervisor ends it without the host. It is 15 s then before
    /// another host may have the slot.
    public static let supervisorDelay: Duration = .seconds(5)
    /// After the end of a lease nothing runs for it any more, also where a host hangs.
    public static let lateness: Duration = .seconds(15)
    /// A lease that has ended is taken back after this.
    public static let grace: Duration = .seconds(30)
    /// A host that has not been heard of for this long does not live.
    public static let life: Duration = .seconds(60)
    /// A host that ends waits no longer than this for the answer to its goodbye.
    public static let goodbye: Duration = .seconds(2)
    /// While no host at all is heard of for longer than this, the database was away or its clock was set, and the time of
    /// leases stands still.
    public static let silence: Duration = .seconds(20)
    /// From here on a clock is worth a word: leases go by the database's, times of `at` by the host's.
    public static let wrongClock: Duration = .seconds(5)
    /// How long after its nominal time a slot may be leased where the manifest says nothing.
    public static let tolerance: Duration = .days(30)
    /// How long what has ended is kept.
    public static let kept: Duration = .days(90)
    /// Leases of one slot, after which it fails.
    public static let attempts = 3
    /// After its time a slot is kept so long for hosts that go by the definition that it was offered with.
    public static let deference: Duration = .minutes(10)
    /// How long before its time a slot is offered, at most.
    public static let horizon: Duration = .hours(2)
    /// How much later the worst host claims than the best, at most.
    public static let timeout: Duration = .seconds(30)
    /// Slots that one beat offers, at most.
    public static let mostOffers = 200
    /// News that one answer brings, at most.
    public static let mostNews = 500
}
