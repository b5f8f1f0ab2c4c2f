extension TaskDefinition {
    /// How long a lease of its runs lasts from the last beat that renewed it, in whole seconds.
    ///
    /// The fleet's database may be away for this long before the run has to end, and for about as long a lost host keeps the
    /// slot from the others. The default is a share of the time limit: a run of hours survives a restart of the database, and
    /// the slot of a lost host waits only a small part of the time limit. A task without a limit counts as one with a long limit.
    public var leaseLength: Duration {
        if let lease = fleet.lease { return .seconds(lease.components.seconds) }
        guard let limit = timeLimit else { return FleetTimes.mostUsualLease }
        let share = Duration.seconds(limit.components.seconds / Int64(FleetTimes.leaseShare))
        return min(max(share, FleetTimes.lease), FleetTimes.mostUsualLease)
    }
}
