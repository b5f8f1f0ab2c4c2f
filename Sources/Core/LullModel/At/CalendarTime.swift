/// A recurring time of the calendar: `30 2 * * 1-5`, `daily 02:30`, `Mon..Fri *-*-* 08:30`.
///
/// Each field is a set of bits, so a few operations test a minute, and the search for the next matching time goes
/// month by month, not minute by minute. It has no zone: `next(after:in:)` takes one.
public struct CalendarTime: Sendable, Hashable, Codable {
    /// As written in the manifest.
    public var text: String
    /// Bit 0 is minute 0.
    package var minutes: UInt64 = 1
    /// Bit 0 is midnight.
    package var hours: UInt32 = 1
    /// Bit 1 is the first.
    package var days: UInt32 = Self.everyDay
    /// Counted from the end of the month: bit 1 is its last day.
    package var lastDays: UInt32 = 0
    /// Bit 1 is January.
    package var months: UInt16 = Self.everyMonth
    /// Bit 0 is Monday.
    package var weekdays: UInt8 = Self.everyWeekday
    /// A day matches if it is in `days` or in `weekdays`, not only if in both: cron's rule where neither has an asterisk.
    package var takesEitherDay = false
    /// Minutes or hours begin with an asterisk: at a clock change the times follow the wall clock, as cron does.
    package var isWildcard = false

    package static let everyHour: UInt32 = (1 << 24) - 1
    package static let everyDay: UInt32 = ~1
    package static let everyMonth: UInt16 = (1 << 13) - 2
    package static let everyWeekday: UInt8 = (1 << 7) - 1

    package init(text: String) { self.text = text }
}
