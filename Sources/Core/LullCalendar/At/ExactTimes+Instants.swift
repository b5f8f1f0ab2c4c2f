public import LullModel

extension ExactTimes {
    /// The first instant after `time`; several times at one instant count once. Fixed times up to `fixedFrom` are left out.
    public func next(after time: WallTime, in zone: Zone, fixedFrom: WallTime? = nil) -> WallTime? {
        calendar.lazy.compactMap { $0.next(after: $0.start(time, fixedFrom), in: zone) }.min()
    }

    /// The number of instants after `start` and up to `end`; counting stops at `limit`.
    public func count(
        after start: WallTime, through end: WallTime, in zone: Zone, limit: Int, fixedFrom: WallTime? = nil
    ) -> Int {
        if calendar.count == 1 {
            return calendar[0].count(
                after: calendar[0].start(start, fixedFrom), through: end, in: zone, limit: limit)
        }
        var (count, time) = (0, start)
        while count < limit, let next = next(after: time, in: zone, fixedFrom: fixedFrom), next <= end {
            count += 1
            time = next
        }
        return count
    }
}

extension CalendarTime {
    fileprivate func start(_ time: WallTime, _ fixedFrom: WallTime?) -> WallTime {
        isWildcard ? time : max(time, fixedFrom ?? time)
    }
}
