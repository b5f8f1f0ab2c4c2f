package import LullModel

/// The longest time in which the clock launches a task less often than so many times: what `at`, `windows` and
/// `missed` come to.
///
/// Found by going through the times of a few years in a zone without changes of the clock, which is how most weeks
/// are in any. Dense times are not gone through to the end: what was not seen is not claimed.
package struct LaunchGap: Hashable {
    /// Launches, on a clock in UTC.
    package var from: WallTime
    package var to: WallTime

    package var length: Duration { to - from }

    package struct Question: Hashable {
        package var times: ExactTimes
        package var windows: [Window]
        package var missed: MissedTimes
        /// From a time until it counts as missed.
        package var tolerance: Duration
        /// So many launches later the gap has ended.
        package var count: Int
        package var span: Duration

        package init(
            times: ExactTimes, windows: [Window], missed: MissedTimes, tolerance: Duration, count: Int,
            span: Duration
        ) {
            self.times = times
            self.windows = windows
            self.missed = missed
            self.tolerance = tolerance
            self.count = count
            self.span = span
        }
    }

    /// 2027-01-01 was a Friday: weekends are soon come to.
    private static let start = WallTime(seconds: 1_798_761_600)
    private static let end = start + .days(9 * 366)
    /// A day of minutes, and what is after it.
    private static let steps = 2000

    /// A gap as long as the span or longer, the longest of those looked at; nil: none was found.
    package init?(_ question: Question) {
        let week = WindowCalendar(week: question.windows)
        var launches: [WallTime] = []
        var time = Self.start
        var longest: LaunchGap?
        var left = Self.steps
        while left > 0, time < Self.end, let next = question.times.next(after: time, in: .utc) {
            left -= 1
            time = next
            guard let launch = Self.launch(next, week, question),
                launch != launches.last || question.missed == .all
            else { continue }
            launches.append(launch)
            guard launches.count > question.count else { continue }
            let gap = LaunchGap(from: launches[launches.count - 1 - question.count], to: launch)
            if gap.length >= question.span, gap.length > longest?.length ?? .zero {
                if longest == nil { left = min(left, 50) }
                longest = gap
            }
        }
        guard let longest else { return nil }
        self = longest
    }

    private init(from: WallTime, to: WallTime) {
        self.from = from
        self.to = to
    }

    /// When what is due at a time is launched, all else open; nil: it is given up.
    private static func launch(_ time: WallTime, _ week: WindowCalendar, _ question: Question) -> WallTime? {
        if week.isOpen(at: time, within: question.tolerance) { return time }
        return question.missed == .skip ? nil : week.opening(from: time)
    }
}
