import DequeModule
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

    mutating func wait(_ id: TransferID) {
        if active[id] == nil { waiting.place(id) }
    }
}

/// What a transfer needs beside the manifest's word: those of one need wait for the same gates.
struct TransferNeed: Sendable, Hashable, Comparable {
    let isDiscretionary: Bool
    let isUnmetered: Bool

    init(_ order: TransferOrder) {
        isDiscretionary = order.isDiscretionary && !PlantedBug.hurriesTransfers.isPlanted
        isUnmetered = isDiscretionary || !order.allowsExpensive || !order.allowsConstrained
    }

    static func < (a: Self, b: Self) -> Bool {
        (a.isDiscretionary ? 1 : 0, a.isUnmetered ? 1 : 0) < (
            b.isDiscretionary ? 1 : 0, b.isUnmetered ? 1 : 0
        )
    }
}

/// Which transfers were asked for lately, so that one can be withdrawn: its plugin may have stopped waiting for the answer.
struct RecentTransfers: Sendable {
    private static let limit = 1024
    private var asked: [Token: TransferID] = [:]
    private var order = Deque<Token>()

    mutating func note(_ id: TransferID, _ token: Token) {
        if asked.updateValue(id, forKey: token) == nil { order.append(token) }
        if order.count > Self.limit, let oldest = order.popFirst() { asked[oldest] = nil }
    }

    mutating func take(_ token: Token) -> TransferID? { asked.removeValue(forKey: token) }
}
