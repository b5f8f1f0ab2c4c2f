import LullCalendar
import LullModel

/// Days as the manifest writes them: `2026-12-24`, `2026-12-24..2027-01-02`, `12-24` in each year, `Sat`, `Mon-Fri`,
/// `every 2w from 2026-12-07`.
enum DayText {
    struct Days {
        var once: [DaySpan] = []
        var again: [RepeatedDays] = []
    }

    static func parse(_ text: String) -> Result<Days, DayFault> {
        Result { () throws(DayFault) in try days(text) }
    }

    /// One day, counted from 1970-01-01.
    static func day(_ text: String) -> Result<Int, DayFault> {
        Result { () throws(DayFault) in
            guard let date = try date(text[...]), let year = date.year else { throw .noDate }
            return try number(year, date.month, date.day)
        }
    }

    private typealias Date = (year: Int?, month: Int, day: Int)

    private static func days(_ text: String) throws(DayFault) -> Days {
        let words = text.split(separator: " ")
        if words.first?.lowercased() == "every" { return try every(words) }
        guard words.count == 1, let word = words.first else { throw .form }
        if word.first?.isLetter == true {
            do throws(WindowFault) {
                return Days(again: try WindowText.days(of: word).sorted().map(weekday))
            } catch {
                throw .weekday(error)
            }
        }
        let ends = word.split(separator: "..", omittingEmptySubsequences: false)
        guard ends.count <= 2, let from = try date(ends[0]), let to = try ends.last.map(date) ?? from,
            (from.year == nil) == (to.year == nil)
        else { throw .form }
        guard let year = from.year, let last = to.year else { return Days(again: yearly(from, to)) }
        let span = DaySpan(
            try number(year, from.month, from.day), through: try number(last, to.month, to.day))
        guard span.first <= span.last else { throw .reversed }
        return Days(once: [span])
    }

    /// `every 2w from 2026-12-07`
    private static func every(_ words: [Substring]) throws(DayFault) -> Days {
        guard words.count == 4, words[2].lowercased() == "from",
            let step = DurationText.parse(Array(words[1].utf8)[...]),
            let date = try date(words[3]), let year = date.year
        else { throw .every }
        let days = step.milliseconds / 86_400_000
        guard step == .days(Int(days)), (1...366).contains(days) else { throw .step }
        let first = try number(year, date.month, date.day)
        return Days(again: [RepeatedDays(DaySpan(first, through: first), .days(Int(days)))])
    }

    private static func weekday(_ day: Int) -> RepeatedDays {
        // 1900-01-01 was a Monday.
        let monday = LocalTime.days(year: 1900, month: 1, day: 1)
        return RepeatedDays(DaySpan(monday + day, through: monday + day), .days(7))
    }

    /// From a date to a date of each year, which may be in the next: a rule for each month, as February's length changes.
    private static func yearly(_ from: Date, _ to: Date) -> [RepeatedDays] {
        let start = LocalTime.days(year: 1900, month: 1, day: 1)
        var rules: [RepeatedDays] = []
        var (month, first) = (from.month, from.day)
        while true {
            let isLast = month == to.month && first <= to.day
            let days = Array(first...(isLast ? to.day : 31))
            rules.append(
                RepeatedDays(
                    DaySpan(start, through: start),
                    .years(1, DaysOfMonth(months: [month], days: days))))
            if isLast { return rules }
            (month, first) = (month % 12 + 1, 1)
        }
    }

    /// `2026-12-24` or `12-24`; nil for anything else.
    private static func date(_ text: Substring) throws(DayFault) -> Date? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
        }
        guard numbers.count == parts.count, parts.suffix(2).allSatisfy({ $0.utf8.count == 2 }) else {
            return nil
        }
        switch parts.count {
        case 2:
            // 2000 has all days.
            _ = try number(2000, numbers[0], numbers[1])
            return (nil, numbers[0], numbers[1])
        case 3 where parts[0].utf8.count == 4: return (numbers[0], numbers[1], numbers[2])
        default: return nil
        }
    }

    private static func number(_ year: Int, _ month: Int, _ day: Int) throws(DayFault) -> Int {
        guard let number = LocalTime.day(year: year, month: month, day: day) else { throw .noSuchDay }
        return number
    }
}

/// An error in the text of a day.
public enum DayFault: Error, Sendable, Hashable {
    case form
    case every
    case step
    case noSuchDay
    case reversed
    case weekday(WindowFault)
    /// Of `from` and `until`, which take one day alone.
    case noDate

    var message: String {
        switch self {
        case .form, .noDate: "is not a day"
        case .every: "does not say how often and from which day on"
        case .step: "is not a number of days or weeks"
        case .noSuchDay: "is no day from 1900-01-01 to 2199-12-31"
        case .reversed: "ends before it begins"
        case .weekday(let fault): fault.message
        }
    }

    var fix: String {
        switch self {
        case .form:
            "write a day such as 2026-12-24, days such as 2026-12-24..2027-01-02, 12-24 for each year, Sat or Mon-Fri, or a file such as "
                + "\"calendar:holidays.ics\""
        case .noDate: "write a day such as 2026-12-24"
        case .every, .step: "write, for example, `every 2w from 2026-12-07`, with 1 to 366 days"
        case .noSuchDay: "write a day such as 2026-12-24, or leave the key out for no limit"
        case .reversed: "write the first day, `..` and the last day, such as 2026-12-24..2027-01-02"
        case .weekday(.day(_, let nearest?)): "did you mean `\(nearest)`?"
        case .weekday: "write days such as Sat or Mon-Fri, or a date such as 2026-12-24"
        }
    }
}
