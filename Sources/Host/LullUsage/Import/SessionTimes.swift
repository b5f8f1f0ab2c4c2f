public import LullModel

/// Times of use in any order, and the sessions that they make by the rule of `UsageSessions`, for all of the past.
///
/// Only the earliest time of each minute is kept, so that the memory grows with the days of a log, not with its lines.
public struct SessionTimes: Sendable, Equatable {
    private var times: [WallTime] = []
    private var isOrdered = true
    private var limit = 4096
    private static let minute: Int64 = 60_000

    init() {}

    /// How many times are kept.
    var count: Int { times.count }

    mutating func add(_ time: WallTime) {
        if let last = times.last {
            if time < last {
                isOrdered = false
            } else if Self.minute(of: last) == Self.minute(of: time) {
                return
            }
        }
        times.append(time)
        guard times.count >= limit else { return }
        order()
        limit = max(4096, times.count * 2)
    }

    mutating func order() {
        guard !isOrdered else { return }
        times.sort()
        var kept: [WallTime] = []
        for time in times where kept.last.map({ Self.minute(of: $0) != Self.minute(of: time) }) ?? true {
            kept.append(time)
        }
        times = kept
        isOrdered = true
    }

    /// The uses to record, the earliest first: each at least 30 min from the others and from those that are `recorded`.
    public func sessions(beside recorded: [WallTime] = []) -> [WallTime] {
        var ordered = self
        ordered.order()
        let recorded = recorded.sorted()
        var next = 0
        var last: WallTime?
        var sessions: [WallTime] = []
        for time in ordered.times {
            while next < recorded.count, recorded[next] <= time {
                last = max(last ?? recorded[next], recorded[next])
                next += 1
            }
            if let last, time - last < UsageSessions.gap { continue }
            if next < recorded.count, recorded[next] - time < UsageSessions.gap { continue }
            sessions.append(time)
            last = time
        }
        return sessions
    }

    private static func minute(of time: WallTime) -> Int64 { time.milliseconds / minute }
}
