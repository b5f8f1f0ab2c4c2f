public import LullModel

extension DayList {
    /// Sorts the spans, and drops days that an earlier one of `spans` has already.
    public init(texts: [String], once spans: [DaySpan], again: [RepeatedDays] = []) {
        self.init(texts: texts)
        self.again = again
        once.reserveCapacity(spans.count)
        for var span in spans.sorted(by: { $0.first < $1.first }) {
            if let last = once.last?.last { span.first = max(span.first, last + 1) }
            if span.first <= span.last { once.append(span) }
        }
    }

    /// The days in a row that hold a day; nil: it is not in the list.
    public subscript(day: Int) -> DaySpan? {
        let next = nextOnce(after: day)
        if next > 0, once[next - 1].last >= day { return once[next - 1] }
        for repeated in again { if let span = repeated.span(holding: day) { return span } }
        return nil
    }

    /// The first listed day from `day` on and before `end`; nil: none.
    public func next(from day: Int, before end: Int) -> Int? {
        if self[day] != nil { return day < end ? day : nil }
        let next = nextOnce(after: day)
        let single = next < once.count && once[next].first < end ? once[next].first : nil
        // No rule's days are so sparse that a walk through them costs more than the rest of a decision.
        let last = single ?? end
        guard !again.isEmpty, day < last else { return single }
        return (day..<last).first { day in again.contains { $0.span(holding: day) != nil } } ?? single
    }

    /// The index of the first span that begins after a day.
    private func nextOnce(after day: Int) -> Int {
        var (low, high) = (0, once.count)
        while low < high {
            let middle = (low + high) / 2
            if once[middle].first <= day { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension RepeatedDays {
    /// The occurrence that holds a day.
    public func span(holding day: Int) -> DaySpan? {
        let length = span.last - span.first
        guard day >= span.first, until.map({ day <= $0 + length }) ?? true else { return nil }
        for start in stride(from: day, through: max(span.first, day - length), by: -1) where begins(on: start)
        {
            return DaySpan(start, through: start + length, name: span.name, file: span.file)
        }
        return nil
    }

    public func begins(on day: Int) -> Bool {
        day >= span.first && day <= until ?? day && fits(day) && !without.contains(day)
    }

    private func fits(_ day: Int) -> Bool {
        switch rule {
        case .days(let step): return (day - span.first) % step == 0
        case .months(let step, let days):
            let (start, date) = (LocalTime(day: span.first), LocalTime(day: day))
            let months = (date.year - start.year) * 12 + date.month - start.month
            return months % step == 0 && days.contains(date)
        case .years(let step, let days):
            let date = LocalTime(day: day)
            return (date.year - LocalTime(day: span.first).year) % step == 0 && days.contains(date)
        }
    }
}

extension DaysOfMonth {
    fileprivate func contains(_ date: LocalTime) -> Bool {
        guard months.isEmpty || months.contains(date.month) else { return false }
        let fromEnd = date.day - LocalTime.length(ofMonth: date.month, year: date.year) - 1
        guard days.isEmpty || days.contains(date.day) || days.contains(fromEnd) else { return false }
        return weekdays.isEmpty
            || weekdays.contains { weekday in
                guard weekday.day == date.weekday else { return false }
                return weekday.ordinal.map {
                    $0 > 0 ? (date.day - 1) / 7 + 1 == $0 : (-fromEnd - 1) / 7 + 1 == -$0
                } ?? true
            }
    }
}

extension LocalTime {
    /// Midnight of a day, counted from 1970-01-01.
    package init(day: Int) { self.init(secondsSinceEpoch: Int64(day) * 86400) }

    package static func length(ofMonth month: Int, year: Int) -> Int {
        let next =
            month == 12 ? days(year: year + 1, month: 1, day: 1) : days(year: year, month: month + 1, day: 1)
        return next - days(year: year, month: month, day: 1)
    }
}
