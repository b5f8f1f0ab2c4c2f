public import LullModel

/// From local times to instants, by the rule of Debian's cron.
///
/// A fixed time comes once on each of its days: a skipped time comes at the moment when the clocks go forward, and a
/// repeated one comes the first time. A wildcard time is the set of instants at which a wall clock shows it: a skipped
/// time does not come, a repeated one comes twice. This holds for clock changes of under three hours; for longer ones,
/// as when a country skips or repeats a day, both follow the wall clock.
extension CalendarTime {
    /// Longer clock changes are no daylight saving.
    private static let longestChange: Int64 = 3 * 3600

    /// The first instant after `time`; nil: none within forty years.
    public func next(after time: WallTime, in zone: Zone) -> WallTime? {
        let second = time.seconds + 1
        var index = zone.index(after: second)
        while true {
            if let found = first(from: second, inSpan: index, of: zone) { return WallTime(seconds: found) }
            guard index < zone.transitions.count else { return nil }
            index += 1
        }
    }

    /// The number of instants after `start` and up to `end`; counting stops at `limit`.
    public func count(after start: WallTime, through end: WallTime, in zone: Zone, limit: Int) -> Int {
        var (count, time) = (0, start)
        while count < limit, let next = next(after: time, in: zone), next <= end {
            count += 1
            time = next
        }
        return count
    }

    /// The first match in the span of constant offset number `index`, which begins at transition `index - 1`.
    private func first(from second: Int64, inSpan index: Int, of zone: Zone) -> Int64? {
        let offset = Int64(zone.offset(inSpan: index))
        let start = index == 0 ? nil : zone.transitions[index - 1].at.seconds
        let end = index < zone.transitions.count ? zone.transitions[index].at.seconds : nil
        var from = max(second, start ?? second) + offset
        if !isWildcard, let start {
            let before = start + Int64(zone.offset(inSpan: index - 1))
            let change = start + offset - before
            if change > 0, change < Self.longestChange, start >= second,
                firstMinute(from: minute(before), before: minute(before + change)) != nil
            {
                return start
            }
            // A repeated time came the first time already.
            if change < 0, change >= -Self.longestChange { from = max(from, before) }
        }
        return firstMinute(from: minute(from), before: end.map { minute($0 + offset) } ?? .max)
            .map { $0 * 60 - offset }
    }

    /// The first whole minute at or after a local second.
    private func minute(_ second: Int64) -> Int64 {
        second > 0 ? (second + 59) / 60 : second / 60
    }
}

extension Zone {
    /// The number of the span of constant offset that contains a second; span 0 is before the first transition.
    fileprivate func index(after second: Int64) -> Int {
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at.seconds <= second { low = middle + 1 } else { high = middle }
        }
        return low
    }

    fileprivate func offset(inSpan index: Int) -> Int {
        index == 0 ? initialOffset : transitions[index - 1].offset
    }
}
