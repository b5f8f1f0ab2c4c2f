/// When a task is launched by the clock: what `at` says.
public struct ExactTimes: Sendable, Hashable, Codable {
    /// In the manifest's order.
    public var calendar: [CalendarTime]
    /// `@reboot`: once after each boot of the host.
    public var isAtBoot: Bool

    public init(calendar: [CalendarTime] = [], isAtBoot: Bool = false) {
        self.calendar = calendar
        self.isAtBoot = isAtBoot
    }

    /// As they are written, for people.
    public var texts: [String] { calendar.map(\.text) + (isAtBoot ? ["@reboot"] : []) }

    /// The first instant after `time`; two of the times at one instant are one.
    public func next(after time: WallTime, in zone: Zone) -> WallTime? {
        calendar.lazy.compactMap { $0.next(after: time, in: zone) }.min()
    }

    /// How many instants lie after `start` and up to `end`; no more than `limit` are counted.
    public func count(after start: WallTime, through end: WallTime, in zone: Zone, limit: Int) -> Int {
        if calendar.count == 1 {
            return calendar[0].count(after: start, through: end, in: zone, limit: limit)
        }
        var (count, time) = (0, start)
        while count < limit, let next = next(after: time, in: zone), next <= end {
            count += 1
            time = next
        }
        return count
    }
}

/// What becomes of a time at which the task could not be launched: the host was off, or a gate was closed.
public enum MissedTimes: String, Sendable, Codable, CaseIterable {
    /// As soon as it can be, one launch for all that were missed.
    case one
    /// As soon as it can be, a launch for each.
    case all
    /// None: the next time is waited for.
    case skip
}

/// A shift that is the same on each day and another on each host: no two hosts ask a server at the same second.
public enum Spread {
    /// Whole seconds from zero to below `spread`; FNV-1a of both names, which every host of every version computes alike.
    public static func shift(of task: TaskIdentifier, on host: String, within spread: Duration) -> Duration {
        let seconds = spread.milliseconds / 1000
        guard seconds > 0 else { return .zero }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Array(host.utf8) + [0] + Array(task.text.utf8) {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        // The low bits of FNV-1a know little of the last bytes.
        hash ^= hash >> 32
        return .seconds(Int64(hash % UInt64(seconds)))
    }
}
