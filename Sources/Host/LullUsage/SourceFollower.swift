import LullModel

/// Learns uses from one source of an app, for as long as it lives.
protocol SourceFollower: AnyObject {
    /// Reads new content. Called once at first, then whenever the source may hold more.
    func look(_ look: inout Look)
    /// How far the source has been read, to be kept across a restart; nil to keep nothing.
    var place: UsagePlace? { get }
}

/// One look at a source: how much may be read, and what was found.
struct Look {
    /// Bytes that may still be read now.
    var budget: Int
    let now: WallTime
    private(set) var uses: [WallTime] = []
    private(set) var faults: [UsageFault] = []
    /// The source holds more than the budget allowed: look again soon.
    var hasMore = false
    /// The source can't be followed, and no event will announce the end of this: look again after a while.
    var isBlocked = false

    init(budget: Int, now: WallTime) {
        self.budget = budget
        self.now = now
    }

    mutating func found(_ time: WallTime) { uses.append(time) }

    mutating func complain(_ fault: UsageFault) {
        if !faults.contains(fault) { faults.append(fault) }
    }
}

/// How far a source has been read.
enum UsagePlace: Sendable, Equatable, Codable {
    case log(LogPosition)
    case journal(cursor: String, read: WallTime)

    var read: WallTime {
        switch self {
        case .log(let position): position.read
        case .journal(_, let read): read
        }
    }
}
