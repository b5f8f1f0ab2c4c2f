import LullModel

/// What this host knows of transfers beside the ledger: those under way and waiting of each app that has any.
struct RunningTransfers: Sendable {
    private var apps: [AppIdentifier: AppTransfers] = [:]
    private var attempts: UInt64 = 0
    /// When this host last saw the network come, go or be another.
    private(set) var networkChangedAt: WallTime?

    var isEmpty: Bool { apps.isEmpty }
    /// Sorted.
    var owners: [AppIdentifier] { apps.keys.sorted() }
    /// Those under way, of all apps.
    var count: Int { apps.values.reduce(0) { $0 + $1.active.count } }

    /// Set only to change what is there.
    subscript(app: AppIdentifier) -> AppTransfers? {
        get { apps[app] }
        _modify { yield &apps[app] }
    }

    subscript(app: AppIdentifier, default fresh: @autoclosure () -> AppTransfers) -> AppTransfers {
        get { apps[app, default: fresh()] }
        _modify { yield &apps[app, default: fresh()] }
    }

    mutating func nextAttempt() -> UInt64 {
        attempts += 1
        return attempts
    }

    mutating func noteNetwork(at now: WallTime) { networkChangedAt = now }
}
