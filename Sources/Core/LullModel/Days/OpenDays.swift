/// The local days on which a task may be launched, as its `only`, `except`, `from` and `until` say.
///
/// A day is a number, counted from 1970-01-01 in the task's zone, so nothing here depends on a zone or a clock. `except`
/// outweighs `only`.
public struct OpenDays: Sendable, Hashable, Codable {
    /// Nil: all days.
    public var only: DayList?
    public var except = DayList()
    /// The first day; nil: no limit.
    public var from: Int?
    /// The last day; nil: no limit.
    public var until: Int?

    /// Nil: every day is open.
    public init?(only: DayList? = nil, except: DayList = DayList(), from: Int? = nil, until: Int? = nil) {
        if only == nil, except.isEmpty, from == nil, until == nil { return nil }
        (self.only, self.except, self.from, self.until) = (only, except, from, until)
    }

    /// Whether no day from this one on is open, as far as `until` and the days of `only` say.
    package func isOver(on day: Int) -> Bool {
        if let until, until < day { return true }
        guard let only, only.again.isEmpty else { return false }
        return only.once.allSatisfy { $0.last < day }
    }
}

/// The days of `only` or `except`.
public struct DayList: Sendable, Hashable, Codable {
    /// As written in the manifest, for people.
    public var texts: [String]
    /// Days that come once, in order; no two of these spans share a day.
    public package(set) var once: [DaySpan] = []
    public package(set) var again: [RepeatedDays] = []

    public init(texts: [String] = []) { self.texts = texts }

    public var isEmpty: Bool { once.isEmpty && again.isEmpty }
}

/// Days in a row.
public struct DaySpan: Sendable, Hashable, Codable {
    public var first: Int
    public var last: Int
    /// The event's summary; nil for days that the manifest names itself.
    public var name: String?
    /// The calendar file; nil for days that the manifest names itself.
    public var file: String?

    public init(_ first: Int, through last: Int, name: String? = nil, file: String? = nil) {
        (self.first, self.last, self.name, self.file) = (first, last, name, file)
    }
}

/// Days in a row that come again and again.
public struct RepeatedDays: Sendable, Hashable, Codable {
    /// The first occurrence.
    public var span: DaySpan
    public var rule: DayRule
    /// The last day on which an occurrence may begin; nil: no end.
    public var until: Int?
    /// Days on which no occurrence begins.
    public var without: [Int]

    public init(_ span: DaySpan, _ rule: DayRule, until: Int? = nil, without: [Int] = []) {
        (self.span, self.rule, self.until, self.without) = (span, rule, until, without)
    }
}

/// On which days an occurrence begins.
public enum DayRule: Sendable, Hashable, Codable {
    /// Each so many days, counted from the first occurrence.
    case days(Int)
    /// Those days of each so many months or years, counted from that of the first occurrence.
    case months(Int, DaysOfMonth)
    case years(Int, DaysOfMonth)
}

/// The days of a month that match all parts.
public struct DaysOfMonth: Sendable, Hashable, Codable {
    /// From 1; empty: every month.
    public var months: [Int]
    /// From 1, or from the end of the month, where -1 is the last day; empty: every day.
    public var days: [Int]
    /// Empty: every weekday.
    public var weekdays: [Weekday]

    public struct Weekday: Sendable, Hashable, Codable {
        /// Monday is 0.
        public var day: Int
        /// The first of the month is 1, the last is -1; nil: each.
        public var ordinal: Int?

        public init(_ day: Int, ordinal: Int? = nil) { (self.day, self.ordinal) = (day, ordinal) }
    }

    public init(months: [Int] = [], days: [Int] = [], weekdays: [Weekday] = []) {
        (self.months, self.days, self.weekdays) = (months, days, weekdays)
    }
}

/// Why nothing is launched on a day.
public enum DayClosure: Sendable, Hashable {
    /// It is in `except`; perhaps as an event of a calendar file.
    case excepted(day: Int, name: String?, file: String?)
    /// It is not in `only`.
    case notListed(day: Int)
    case before(first: Int)
    case after(last: Int)
}
