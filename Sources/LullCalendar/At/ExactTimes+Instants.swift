public import LullModel

extension ExactTimes {
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
