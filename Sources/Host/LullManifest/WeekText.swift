import LullCalendar
import LullModel

/// Texts for instants of an ordinary week, in UTC.
enum WeekText {
    /// "Mon 05:00".
    static func text(_ time: WallTime) -> String {
        let local = Zone.utc.local(time)
        return "\(WindowText.days[local.weekday]) \(Phrase.clock(local))"
    }

    /// "Mon 05:00 and Tue 05:00", or with dates where the weeks differ.
    static func text(_ gap: LaunchGap, of times: ExactTimes) -> String {
        let isWeekly = times.calendar.allSatisfy(\.isWeekly)
        return [gap.from, gap.to].map { isWeekly ? text($0) : date($0) }.joined(separator: " and ")
    }

    private static func date(_ time: WallTime) -> String {
        let local = Zone.utc.local(time)
        return "\(local.day) \(Phrase.months[local.month - 1]) \(Phrase.clock(local))"
    }
}
