/// The error in a time of `at`, and its place in the text.
public struct AtFault: Error, Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        case empty
        case unknownWord(String, nearest: String?)
        case fieldCount(Int)
        /// A number or a name that is invalid in the field.
        case value(CronField, String)
        case noStep(String)
        /// `5/15`, with the text that was probably meant.
        case stepWithoutRange(String, meant: String)
        /// `22-2`, with the two ranges that were probably meant.
        case reversed(String, meant: String)
        /// cronie's `6~15`.
        case random(String)
        case day(String, nearest: String?)
        case time(String)
        case date(String)
        case seconds(String)
        case year(String)
        case zone(String)
        /// `weekly` alone begins on Sunday for cron and on Monday for systemd.
        case weekly
        case unexpected(String)
        /// `@every 5m`, as some schedulers write an interval.
        case every(String)
        /// `every 5 minutes`, in words.
        case interval(String)
        /// Everyday language, with the valid text: `4am`, `every day at 4`.
        case spoken(meant: String)
        /// A command, seconds or a year beside the five fields of cron; with those five.
        case beyondFields(String, five: String)
        case never
    }

    public var reason: Reason
    /// The place in the text, as scalars counted from 0.
    public var range: Range<Int>

    public init(_ reason: Reason, at range: Range<Int>) {
        self.reason = reason
        self.range = range
    }

    /// A clause whose subject is the text.
    public var message: String {
        switch reason {
        case .empty: "is empty"
        case .unknownWord(let word, _): "has the word '\(word)', which names no times"
        case .fieldCount(let count):
            "has \(count) \(count == 1 ? "field" : "fields"), and a cron expression has five: minute, hour, day of the month, month, day of the week"
        case .value(let field, let text):
            "has '\(text)' as \(field.phrase), which is \(field.limits)"
        case .noStep(let text): "has the step '\(text)', and a step is a whole number from 1"
        case .stepWithoutRange(let text, _): "has a step but no range in '\(text)'"
        case .reversed(let text, _): "has the range '\(text)', which ends before it begins"
        case .random(let text): "has '\(text)', a random time, which would change with every reading"
        case .day(let day, _): "has '\(day)', which is not a day"
        case .time(let time): "has '\(time)', which is not a time of day"
        case .date(let date): "has '\(date)', which is not a date"
        case .seconds(let text): "has seconds in '\(text)', but times are whole minutes"
        case .year(let text): "has the year '\(text)', but times come every year"
        case .zone(let name): "ends in '\(name)', as if in a time zone of its own"
        case .weekly: "does not say on which day of the week"
        case .unexpected(let text): "has '\(text)' where nothing is expected"
        case .every: "has '@every', which is an interval, not a time of the clock"
        case .interval: "is an interval, not a time of the clock"
        case .spoken: "is in words that `at` does not know"
        case .beyondFields(let text, _): "has '\(text)' beside the five fields of a cron expression"
        case .never: "names a date that no year has"
        }
    }

    /// The remedy.
    public var fix: String {
        switch reason {
        case .unknownWord(_, let nearest?), .day(_, let nearest?): "did you mean `\(nearest)`?"
        case .unknownWord(_, nil):
            "words are @reboot, @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually, or hourly, daily, weekly, monthly and yearly, "
                + "such as `daily 02:30`"
        case .empty, .fieldCount, .unexpected: Self.example
        case .every(let span), .interval(let span): "write `repeat: \(span)` in place of `at`"
        case .spoken(let meant): "write `\(meant)`"
        case .beyondFields(_, let five):
            "write `\(five)` alone: the command belongs in the task's settings, a zone in `timezone`; seconds and years are not supported"
        case .value(_, "?"): "write `*`"
        case .value(.day, "L"), .value(.day, "l"): "write `monthly last 04:00` for the last day of the month"
        case .value(let field, _): "write \(field.limits), such as `\(field.example)`"
        case .noStep: "write a step such as `*/15`, or leave it out"
        case .stepWithoutRange(_, let meant), .reversed(_, let meant): "write `\(meant)`"
        case .random: "write one number; `spread: 10m` beside `at` adds a random shift that stays the same"
        case .day(_, nil): "days are Mon, Tue, Wed, Thu, Fri, Sat and Sun, such as `Mon-Fri 08:30`"
        case .time: "times are from 00:00 to 23:59, such as `daily 02:30`"
        case .date: "write a month and a day of it, such as `*-*-01 04:00` or `yearly 12-24 18:00`"
        case .seconds: "leave the seconds out, or write them as `:00`"
        case .year:
            "write `*` for the year, and beside `at` the days on which it may come, such as `only: [2026-12-24]`"
        case .zone(let name): "leave it out, and write `timezone: \(name)` beside `at`"
        case .weekly: "write the day, such as `weekly Mon 04:00`; cron's `@weekly` is `weekly Sun`"
        case .never: "write a day that the month has, or `monthly last 04:00` for its last"
        }
    }

    private static let example =
        "write minute, hour, day of the month, month and day of the week, such as `30 2 * * Mon-Fri`, or words, such as `daily 02:30`"
}

/// A field of a cron expression.
public enum CronField: Int, Sendable, Hashable, CaseIterable {
    case minute, hour, day, month, weekday

    var range: ClosedRange<Int> {
        switch self {
        case .minute: 0...59
        case .hour: 0...23
        case .day: 1...31
        case .month: 1...12
        case .weekday: 0...7
        }
    }

    /// The first name has the first number of the field.
    var names: [String] {
        switch self {
        case .minute, .hour, .day: []
        case .month: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        case .weekday: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        }
    }

    var phrase: String {
        switch self {
        case .minute: "the minute"
        case .hour: "the hour"
        case .day: "the day of the month"
        case .month: "the month"
        case .weekday: "the day of the week"
        }
    }

    var limits: String {
        switch self {
        case .minute, .hour, .day: "a number from \(range.lowerBound) to \(range.upperBound)"
        case .month: "a number from 1 to 12 or a name from Jan to Dec"
        case .weekday: "a number from 0 to 7 or a name from Sun to Sat"
        }
    }

    var example: String {
        switch self {
        case .minute: "30 2 * * *"
        case .hour: "0 8-18 * * *"
        case .day: "0 4 1,15 * *"
        case .month: "0 4 1 Jan,Jul *"
        case .weekday: "30 8 * * Mon-Fri"
        }
    }
}
