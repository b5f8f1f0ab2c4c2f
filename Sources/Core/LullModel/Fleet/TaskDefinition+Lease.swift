extension TaskDefinition {
    /// How long a lease of its runs lasts from the last beat that renewed it, in whole seconds.
    ///
    /// So long the fleet's database may be away without an end of the run, and nearly so long a lost host keeps the slot from
    /// the others. Where the manifest does not say, that is a share of the time limit: a run of hours outlasts the restart of
    /// a database, and a slot whose host is lost waits for a small part of what its run may take. What has no limit is as
    /// what has a long one.
    public var leaseLength: Duration {
        if let lease = fleet.lease { return .seconds(lease.components.seconds) }
        guard let limit = timeLimit else { return FleetTimes.mostUsualLease }
        let share = Duration.seconds(limit.components.seconds / Int64(FleetTimes.leaseShare))
        return min(max(share, FleetTimes.lease), FleetTimes.mostUsualLease)
    }
}
