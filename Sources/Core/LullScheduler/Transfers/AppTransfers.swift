import LullModel

/// The state of an app's transfers that is not in the ledger.
struct AppTransfers: Sendable {
    /// An attempt that is under way.
    struct Active: Sendable {
        let attempt: UInt64
        let since: MonotonicTime
        let before: Int64
        var progress: TransferProgress
        let need: TransferNeed
        /// The bytes that had moved when its pace was last checked, and when that was.
        private var moved: Int64
        private var lookedAt: MonotonicTime
        /// Its server trickles: the transfer keeps no other one waiting.
        private(set) var isSlow = false

        init(
            attempt: UInt64, since: MonotonicTime, before: Int64, progress: TransferProgress,
            need: TransferNeed
        ) {
            (self.attempt, self.since, self.before, self.progress) = (attempt, since, before, progress)
            (self.need, lookedAt) = (need, since)
            moved = progress.moved
        }

        static let lookedEach: Duration = .seconds(30)
        /// Bytes a second.
        static let slowPace: Int64 = 4 << 10

        /// - Returns: When to look again.
        mutating func lookAtPace(at now: MonotonicTime, share: Int64?) -> MonotonicTime {
            let span = now - lookedAt
            guard span >= Self.lookedEach else { return lookedAt + Self.lookedEach }
            // A transfer that the app's own rate limit slows down is not slow.
            let pace = min(Self.slowPace, (share ?? .max) / 4)
            let came = progress.moved - moved
            isSlow = came < pace * max(1, span.milliseconds / 1000)
            (moved, lookedAt) = (progress.moved, now)
            return now + Self.lookedEach
        }
    }

    /// Transfers that neither app, operator nor server holds back, in order.
    var waiting: [TransferID] = []
    var active: [TransferID: Active] = [:]
    /// The progress of transfers that are no longer active, as far as this host knows; the ledger knows less.
    var last: [TransferID: TransferProgress] = [:]
    /// Bytes that have come since the app's folder was last measured.
    var added: Int64 = 0
    /// A transfer waits for room in the app's folder.
    var waitsForRoom = false
    var isTouched = false
    var watching: SensorSet = []
    var sampling: SensorSet = []
    /// When the next transfer or kept part is given up.
    var limitAt: WallTime?
    /// When the app was last notified of the progress in a session.
    var told: [String: MonotonicTime] = [:]

    /// Slow transfers leave their places to others, up to this many times the number of places.
    static let slowShare = 3

    /// Whether one more transfer may be active, if there are so many places.
    func hasPlace(of places: Int) -> Bool {
        active.count - min(slow, Self.slowShare * places) < places
    }

    var slow: Int { active.values.count { $0.isSlow } }

    /// Checks the paces while others wait for a place. Returns when to check again; nil: none is under way.
    mutating func lookAtPaces(at now: MonotonicTime, share: Int64?) -> MonotonicTime? {
        var next: MonotonicTime?
        for id in active.keys {
            guard let time = active[id]?.lookAtPace(at: now, share: share) else { continue }
            next = min(next ?? time, time)
        }
        return next
    }

    mutating func wait(_ id: TransferID) {
        if active[id] == nil { waiting.place(id) }
    }
}

/// What a transfer needs beyond the manifest's entry: transfers of one need wait for the same gates.
struct TransferNeed: Sendable, Hashable, Comparable {
    let isDiscretionary: Bool
    let isUnmetered: Bool

    init(_ order: TransferOrder) {
        isDiscretionary = order.isDiscretionary && !Mutation.hurriesTransfers.isOn
        isUnmetered = isDiscretionary || !order.allowsExpensive || !order.allowsConstrained
    }

    static func < (a: Self, b: Self) -> Bool {
        (a.isDiscretionary ? 1 : 0, a.isUnmetered ? 1 : 0) < (
            b.isDiscretionary ? 1 : 0, b.isUnmetered ? 1 : 0
        )
    }
}

extension TransferProgress {
    /// The bytes moved both ways.
    fileprivate var moved: Int64 { received &+ sent }
}
