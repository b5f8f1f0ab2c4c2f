public import LullModel

extension OpenDays {
    /// How far ahead an open day is searched: a rule for the 29th of February may have none for eight years.
    public static let horizon = 12 * 366

    public func isOpen(_ day: Int) -> Bool { closure(of: day) == nil }

    /// Why a day is closed; nil: it is open.
    public func closure(of day: Int) -> DayClosure? {
        if let from, day < from { return .before(first: from) }
        if let until, day > until { return .after(last: until) }
        if let span = except[day] { return .excepted(day: day, name: span.name, file: span.file) }
        if let only, only[day] == nil { return .notListed(day: day) }
        return nil
    }

    /// The first open day from `day` on; nil: none within the horizon.
    public func nextOpen(from day: Int) -> Int? {
        var day = max(day, from ?? day)
        let end = min(day + Self.horizon, until.map { $0 + 1 } ?? .max)
        while day < end {
            if let only {
                guard let listed = only.next(from: day, before: end) else { return nil }
                day = listed
            }
            guard let span = except[day] else { return day }
            day = span.last + 1
        }
        return nil
    }

    /// Whether a time of `at` comes on an open day, in a zone without clock changes.
    public func holdsSome(of times: ExactTimes) -> Bool {
        someStart { $0.holdsSome(of: times, from: $1) }
    }

    /// Whether any day is open.
    public var hasOpenDay: Bool { someStart { $0.nextOpen(from: $1) != nil } }

    /// Whether a search succeeds from one of the days from which open days are to be searched.
    private func someStart(_ finds: (OpenDays, _ first: Int) -> Bool) -> Bool {
        guard let only else {
            let first = from ?? Self.usualStart
            // What is excepted once may be longer than a search.
            return finds(self, first) || finds(self, max(first, (except.once.last?.last ?? first) + 1))
        }
        // One by one: a search from the first of all may end before it comes to the others.
        let parts =
            only.once.map { (DayList(texts: [], once: [$0]), $0.first) }
            + only.again.map {
                (DayList(texts: [], once: [], again: [$0]), max($0.span.first, Self.usualStart))
            }
        return parts.contains { part, first in
            var days = self
            days.only = part
            return finds(days, max(first, from ?? first))
        }
    }

    /// 2010-01-01: no manifest is older.
    private static let usualStart = 14_610

    private func holdsSome(of times: ExactTimes, from day: Int) -> Bool {
        let before = WallTime(seconds: Int64(day) * 86400 - 1)
        return times.next(after: before, in: .utc, fixedFrom: nil, on: self) != nil
    }

    func isOpen(at time: WallTime, in zone: Zone) -> Bool { isOpen(zone.day(of: time)) }
}

extension Zone {
    /// The local day of an instant, counted from 1970-01-01.
    package func day(of time: WallTime) -> Int {
        let second = time.seconds + Int64(offset(at: time))
        return Int(second >= 0 ? second / 86400 : (second - 86399) / 86400)
    }

    /// An instant that no instant of a local day is before.
    ///
    /// It is the day's first instant unless the clocks change around it.
    func start(ofDay day: Int) -> WallTime {
        let midnight = WallTime(seconds: Int64(day) * 86400)
        var highest = offset(at: midnight - .days(1))
        var time = midnight - .days(1)
        while let change = nextTransition(after: time), change.at < midnight + .days(1) {
            highest = max(highest, change.offset)
            time = change.at
        }
        return midnight - .seconds(Int64(highest))
    }
}

extension ExactTimes {
    /// The first instant after `time` on an open day; nil: none.
    func next(after time: WallTime, in zone: Zone, fixedFrom: WallTime?, on days: OpenDays) -> WallTime? {
        var found = next(after: time, in: zone, fixedFrom: fixedFrom)
        let end = time + .days(OpenDays.horizon)
        while let instant = found, !days.isOpen(at: instant, in: zone) {
            guard instant < end, let day = days.nextOpen(from: zone.day(of: instant)) else { return nil }
            let start = max(instant, zone.start(ofDay: day) - .milliseconds(1))
            found = next(after: start, in: zone, fixedFrom: fixedFrom)
        }
        return found
    }
}
