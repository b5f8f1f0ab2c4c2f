package import LullModel

/// The times of a task's `at` on this host: in their zone, shifted by their spread.
package struct Timetable {
    package let times: ExactTimes
    package let zone: Zone
    /// From each time until it is due on this host.
    package let shift: Duration
    /// Times that an operator cancelled before they came; they are left out.
    package let cancelled: [WallTime]
    /// The days on which they come; nil: all.
    package let days: OpenDays?
    /// The time from which the clock was set back: fixed times up to it do not come again, wildcard times do.
    package var fixedFrom: WallTime?

    /// Nil for a task without `at`.
    package init?(_ definition: TaskDefinition, zones: Zones, host: String, cancelled: [WallTime] = []) {
        guard let times = definition.at else { return nil }
        self.times = times
        zone = zones[definition.timezone]
        shift = Spread.shift(of: definition.identifier, on: host, within: definition.spread)
        self.cancelled = cancelled
        days = definition.days
    }

    package func due(_ time: WallTime) -> WallTime { time + shift }

    package func next(after time: WallTime) -> WallTime? {
        var next = planned(after: time)
        while let time = next, cancelled.contains(time) { next = planned(after: time) }
        return next
    }

    private func planned(after time: WallTime) -> WallTime? {
        guard let days else { return times.next(after: time, in: zone, fixedFrom: fixedFrom) }
        return times.next(after: time, in: zone, fixedFrom: fixedFrom, on: days)
    }

    /// Why the first time that is due after `now` by `at` alone does not come; nil: it comes.
    package func closure(from now: WallTime) -> DayClosure? {
        times.next(after: now - shift, in: zone, fixedFrom: fixedFrom).flatMap { time in
            days?.closure(of: zone.day(of: time))
        }
    }

    /// The number of times after `time` and up to `end`, `Limits.countedTimes` at most.
    package func count(after time: WallTime, through end: WallTime) -> Int {
        if days != nil {
            var (count, time) = (0, time)
            while count < Limits.countedTimes, let next = next(after: time), next <= end {
                count += 1
                time = next
            }
            return count
        }
        // Times that were cancelled under an older `at` may not be times of this one.
        let passedOver = cancelled.count {
            $0 > time && $0 <= end && times.next(after: $0 - .milliseconds(1), in: zone) == $0
        }
        let count = times.count(
            after: time, through: end, in: zone, limit: Limits.countedTimes, fixedFrom: fixedFrom)
        return count - passedOver
    }

    /// The times after `time` that are due by `now`: the last one, and their number.
    package func passed(after time: WallTime, dueBy now: WallTime) -> (last: WallTime, count: Int)? {
        let end = now - shift
        let count = count(after: time, through: end)
        guard count > 0, let last = last(through: end, after: time) else { return nil }
        return (last, count)
    }

    /// The time after which `Limits.missedTimes` times are due by `now`; nil: there are no more than that after `time`.
    package func makingUp(after time: WallTime, dueBy now: WallTime) -> WallTime? {
        let end = now - shift
        var before = recent(Limits.missedTimes + 1, through: end, after: time)
        return before.count > Limits.missedTimes ? before.removeFirst() : nil
    }

    private func last(through end: WallTime, after time: WallTime) -> WallTime? {
        recent(1, through: end, after: time).last
    }

    /// The latest times up to `end`, at most `count`, in order. Searches back from the end in spans that double.
    private func recent(_ count: Int, through end: WallTime, after time: WallTime) -> [WallTime] {
        var span: Duration = .hours(1)
        while true {
            let start = max(time, end - span)
            var found: [WallTime] = []
            var cursor = start
            while let next = next(after: cursor), next <= end {
                found.append(next)
                cursor = next
            }
            if found.count >= count || start == time { return Array(found.suffix(count)) }
            span = span * 2
        }
    }
}
