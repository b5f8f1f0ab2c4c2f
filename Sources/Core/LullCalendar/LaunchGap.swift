package import LullModel

/// The longest time in which the clock launches a task less often than a given count, as it follows from `at`, `windows` and
/// `missed`.
///
/// The search goes through the times of a few years in a zone without clock changes, as most weeks are in any zone. It stops
/// early for dense times, so a gap may be missed, but every gap that it returns is real.
package struct LaunchGap: Hashable {
    /// The launches at both ends, on a clock in UTC.
    package var from: WallTime
    package var to: WallTime

    package var length: Duration { to - from }

    package struct Question: Hashable {
        package var times: ExactTimes
        package var windows: [Window]
        package var missed: MissedTimes
        /// How long after a time it counts as missed.
        package var tolerance: Duration
        /// The gap ends with this many more launches.
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

    /// 2027-01-01 is a Friday: the search soon comes to a weekend.
    private static let start = WallTime(seconds: 1_798_761_600)
    private static let end = start + .days(9 * 366)
    /// The most times that are examined: more than a day has minutes.
    private static let steps = 2000

    /// The longest gap found that is at least as long as the span; nil: none was found.
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

    /// When a launch that is due at `time` happens if all else is open; nil: it is given up.
    private static func launch(_ time: WallTime, _ week: WindowCalendar, _ question: Question) -> WallTime? {
        if week.isOpen(at: time, within: question.tolerance) { return time }
        return question.missed == .skip ? nil : week.opening(from: time)
    }
}
