import LullModel

/// What the host keeps of the transfers of an app, beside the ledger.
struct TransferDesk: Sendable {
    /// An attempt that is under way.
    struct Active: Sendable {
        let attempt: UInt64
        let since: MonotonicTime
        let before: Int64
        var progress: TransferProgress
        let need: TransferNeed
        /// How much had moved when its pace was last looked at, and when that was.
        private var moved: Int64
        private var lookedAt: MonotonicTime
        /// A server that trickles: it keeps no other transfer waiting.
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
            // What its app may have at most is slow for nobody's fault.
            let pace = min(Self.slowPace, (share ?? .max) / 4)
            let came = progress.moved - moved
            isSlow = came < pace * max(1, span.milliseconds / 1000)
            (moved, lookedAt) = (progress.moved, now)
            return now + Self.lookedEach
        }
    }

    /// Those that app, operator and server let be under way, in order.
    var waiting: [TransferID] = []
    var active: [TransferID: Active] = [:]
    /// How far those were that are not under way any more, as far as this host has heard; the ledger knows less.
    var last: [TransferID: TransferProgress] = [:]
    /// Bytes that have come since somebody last looked at the app's folder.
    var added: Int64 = 0
    /// One waits for room in the app's folder.
    var waitsForRoom = false
    var isTouched = false
    var watching: SensorSet = []
    var sampling: SensorSet = []
    /// When a transfer is given up, or what is kept of one is.
    var limitAt: WallTime?
    /// When the app was last told how far those of a session are.
    var told: [String: MonotonicTime] = [:]

    /// Slow ones leave their places to others, up to this many times the places that there are.
    static let slowShare = 3

    /// Whether one more may be under way, of `places`.
    func hasPlace(of places: Int) -> Bool {
        active.count - min(slow, Self.slowShare * places) < places
    }

    var slow: Int { active.values.count { $0.isSlow } }

    /// While others wait for a place. Returns when to look again; nil: none is under way.
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

/// What a transfer needs beside the manifest's word: those of one need wait for the same gates.
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
    /// Both ways.
    fileprivate var moved: Int64 { received &+ sent }
}
