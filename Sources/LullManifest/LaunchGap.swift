import LullModel

/// The longest time in which the clock launches a task less often than so many times: what `at`, `windows` and
/// `missed` come to.
///
/// Found by going through the times of a few years in a zone without changes of the clock, which is how most weeks
/// are in any. Dense times are not gone through to the end: what was not seen is not claimed.
struct LaunchGap: Hashable {
    /// Launches, on a clock in UTC.
    var from: WallTime
    var to: WallTime

    var length: Duration { to - from }

    struct Question: Hashable {
        var times: ExactTimes
        var windows: [Window]
        var missed: MissedTimes
        /// In minutes: from a time until it counts as missed.
        var tolerance: Int
        /// So many launches later the gap has ended.
        var count: Int
        var span: Duration
    }

    /// 2027-01-01 was a Friday: weekends are soon come to.
    private static let start = WallTime(seconds: 1_798_761_600)
    private static let end = start + .days(9 * 366)
    /// A day of minutes, and what is after it.
    static let steps = 2000

    /// A gap as long as the span or longer, the longest of those looked at; nil: none was found.
    init?(_ question: Question) {
        let week = OpenWeek(question.windows)
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
    private static func launch(_ time: WallTime, _ week: OpenWeek, _ question: Question) -> WallTime? {
        let minute = Self.minute(of: Zone.utc.local(time))
        if week.isOpen(at: minute, within: question.tolerance) { return time }
        return question.missed == .skip ? nil : time + .minutes(week.wait(from: minute))
    }

    /// "Mon 05:00 and Tue 05:00", or with dates where the weeks differ.
    func text(of times: ExactTimes) -> String {
        let isWeekly = times.calendar.allSatisfy(\.isWeekly)
        return "\(Self.text(from, isWeekly)) and \(Self.text(to, isWeekly))"
    }

    private static func text(_ time: WallTime, _ isWeekly: Bool) -> String {
        let local = Zone.utc.local(time)
        if isWeekly { return OpenWeek.text(minute(of: local)) }
        return "\(local.day) \(months[local.month - 1]) \(OpenWeek.time(local.secondOfDay / 60))"
    }

    private static func minute(of local: LocalTime) -> Int { local.weekday * 1440 + local.secondOfDay / 60 }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
