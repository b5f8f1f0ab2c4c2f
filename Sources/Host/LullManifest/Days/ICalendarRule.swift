import LullCalendar
import LullModel

/// `RRULE`: the subset in which an occurrence is a day of a count of days, of weeks, of months or of years.
struct ICalendarRule {
    private enum Frequency: String { case daily, weekly, monthly, yearly }

    private var frequency = Frequency.yearly
    private var interval = 1
    private var count: Int?
    private var until: ICalendarDate?
    private var days = DaysOfMonth()
    /// Monday is 0.
    private var weekStart = 0

    private static let most = 1000
    /// `COUNT` of months or years is followed so many days.
    private static let farthest = 100 * 366

    init(_ line: ICalendarLines.Line) throws(ICalendarFault) {
        var hasFrequency = false
        for part in line.value.trimmed.uppercased().split(separator: ";") {
            let pieces = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard pieces.count == 2 else { throw ICalendarFault(.rulePart(String(part)), at: line.span) }
            let (name, value) = (pieces[0], pieces[1])
            func wrong() -> ICalendarFault { ICalendarFault(.rulePart(String(part)), at: line.span) }
            switch name {
            case "FREQ":
                guard let known = Frequency(rawValue: value.lowercased()) else { throw wrong() }
                (frequency, hasFrequency) = (known, true)
            case "INTERVAL":
                guard let number = Int(value), (1...1000).contains(number) else { throw wrong() }
                interval = number
            case "COUNT":
                guard let number = Int(value), (1...Self.most).contains(number) else { throw wrong() }
                count = number
            case "UNTIL":
                until = try ICalendarDate(value, line, at: line.span)
            case "BYMONTH":
                guard let numbers = Self.numbers(value, 1...12) else { throw wrong() }
                days.months = numbers
            case "BYMONTHDAY":
                guard let numbers = Self.numbers(value, -31...31), !numbers.contains(0) else { throw wrong() }
                days.days = numbers
            case "BYDAY":
                guard let weekdays = Self.weekdays(value) else { throw wrong() }
                days.weekdays = weekdays
            case "WKST":
                guard let day = Self.names.firstIndex(of: value) else { throw wrong() }
                weekStart = day
            default: throw wrong()
            }
        }
        guard hasFrequency else { throw ICalendarFault(.rulePart(line.value), at: line.span) }
        let numbered = days.weekdays.contains { $0.ordinal != nil }
        let isKnown =
            switch frequency {
            case .daily: days == DaysOfMonth()
            case .weekly: days.months.isEmpty && days.days.isEmpty && !numbered
            case .monthly: true
            // A numbered weekday without a month is counted in the year.
            case .yearly: !numbered || !days.months.isEmpty
            }
        guard isKnown else { throw ICalendarFault(.ruleMix(line.value), at: line.span) }
    }

    private static let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private static func numbers(_ text: String, _ range: ClosedRange<Int>) -> [Int]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        var valid: [Int] = []
        for number in numbers {
            guard let number, range.contains(number) else { return nil }
            if !valid.contains(number) { valid.append(number) }
        }
        return valid
    }

    private static func weekdays(_ text: String) -> [DaysOfMonth.Weekday]? {
        var weekdays: [DaysOfMonth.Weekday] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let day = names.firstIndex(of: String(part.suffix(2))) else { return nil }
            let number = part.dropLast(2)
            guard number.isEmpty || Int(number).map({ $0 != 0 && (-5...5).contains($0) }) ?? false else {
                return nil
            }
            let weekday = DaysOfMonth.Weekday(day, ordinal: Int(number))
            if !weekdays.contains(weekday) { weekdays.append(weekday) }
        }
        return weekdays
    }

    /// The occurrences; those of several weekdays are rules of their own. `begin` is the event's DTSTART.
    func days(from first: DaySpan, at begin: ICalendarDate, without: [Int]) throws(ICalendarFault)
        -> [RepeatedDays]
    {
        let start = LocalTime(day: first.first)
        let until = try lastDay(ofEventAt: begin)
        func repeated(_ day: Int, _ rule: DayRule) -> RepeatedDays {
            RepeatedDays(
                DaySpan(day, through: day + first.last - first.first, name: first.name, file: first.file),
                rule, until: until)
        }
        var found: [RepeatedDays]
        var days = days
        if days.days.isEmpty, days.weekdays.isEmpty { days.days = [start.day] }
        switch frequency {
        case .daily: found = [repeated(first.first, .days(interval))]
        case .weekly:
            let begin = first.first - (start.weekday - weekStart + 7) % 7
            let weekdays = Set(self.days.weekdays.map(\.day))
            found = (weekdays.isEmpty ? [start.weekday] : weekdays.sorted()).map { weekday in
                let day = begin + (weekday - weekStart + 7) % 7
                return repeated(day < first.first ? day + 7 * interval : day, .days(7 * interval))
            }
        case .monthly: found = [repeated(first.first, .months(interval, days))]
        case .yearly:
            if days.months.isEmpty, self.days == DaysOfMonth() { days.months = [start.month] }
            found = [repeated(first.first, .years(interval, days))]
        }
        if let count, let last = last(of: count, in: found, from: first.first) {
            for index in found.indices { found[index].until = min(last, until ?? last) }
        }
        for index in found.indices { found[index].without = without }
        return found
    }

    /// The last day on which an occurrence may begin: one that begins later in the day than `UNTIL` does not come.
    private func lastDay(ofEventAt begin: ICalendarDate) throws(ICalendarFault) -> Int? {
        guard let until else { return nil }
        switch (until.time, begin.time) {
        // On which local day the rule ends depends on the zone.
        case (.utc, .local): throw ICalendarFault(.inUTC(until.text), at: until.span)
        case (.local, .local): return until.second < begin.second ? until.day - 1 : until.day
        case (.none, _), (.utc, _), (.local, _): return until.day
        }
    }

    /// The day on which occurrence number `count` begins. The event's own day is the first, whatever the rule says.
    private func last(of count: Int, in rules: [RepeatedDays], from first: Int) -> Int? {
        var left = count - 1
        if left == 0 { return first }
        if case .days(let step) = rules.first?.rule {
            // Each rule of a week has one occurrence in each step after the first day.
            let next = rules.map { $0.span.first == first ? first + step : $0.span.first }.sorted()
            return next[(left - 1) % next.count] + (left - 1) / next.count * step
        }
        for day in first + 1..<first + Self.farthest where rules.contains(where: { $0.begins(on: day) }) {
            left -= 1
            if left == 0 { return day }
        }
        return nil
    }
}
