import RealModule

/// The times of day and week at which sessions began: blurred counts by quarter-hours, with several half-lives.
struct Habits {
    /// By the time of day, for the last days and for the last weeks.
    private(set) var recent = [Float](repeating: 0, count: LocalClock.slots)
    private(set) var daily = [Float](repeating: 0, count: LocalClock.slots)
    /// For working days and weekends, with long and short half-lives.
    private(set) var workday = [Float](repeating: 0, count: LocalClock.slots)
    private(set) var weekend = [Float](repeating: 0, count: LocalClock.slots)
    private(set) var workdayLately = [Float](repeating: 0, count: LocalClock.slots)
    private(set) var weekendLately = [Float](repeating: 0, count: LocalClock.slots)
    /// By the time of the week.
    private(set) var weekly = [Float](repeating: 0, count: 7 * LocalClock.slots)
    private(set) var weeklyLately = [Float](repeating: 0, count: 7 * LocalClock.slots)
    /// The first session of a day, by time of day; and the days with a session, by day of the week.
    private(set) var first = [Float](repeating: 0, count: LocalClock.slots)
    private(set) var activeDays = [Float](repeating: 0, count: 7)
    /// Hardly blurred, for people with exact habits: for working days, for weekends, and for all days lately.
    private(set) var exactWorkday = [Float](repeating: 0, count: LocalClock.slots)
    private(set) var exactWeekend = [Float](repeating: 0, count: LocalClock.slots)
    private(set) var exactLately = [Float](repeating: 0, count: LocalClock.slots)
    /// The hazard of a day's first session, for working days and weekends.
    private(set) var beginsWorkday = [Float](repeating: 0, count: LocalClock.slots)
    private(set) var beginsWeekend = [Float](repeating: 0, count: LocalClock.slots)

    private static let narrow = Kernel(gaussian: 2.5)
    private static let middle = Kernel(gaussian: 3)
    private static let broad = Kernel(gaussian: 4)
    private static let broadest = Kernel(gaussian: 4.5)
    private static let exact = Kernel(gaussian: 1.2)
    private static let beginning = Kernel(gaussian: 2)

    init(_ past: Past) {
        var previousDay = Int.min
        for index in 0..<past.count {
            let clock = past.clocks[index]
            let slot = clock.slot
            // Half-lives of 80, 40, 20 and 10 live days: each weight is the square of the one before.
            let slow = past.weights[index]
            let medium = slow * slow
            let quick = medium * medium
            recent[slot] += quick * quick
            daily[slot] += medium
            if clock.isWeekend {
                weekend[slot] += slow
                weekendLately[slot] += quick
            } else {
                workday[slot] += slow
                workdayLately[slot] += quick
            }
            exactLately[slot] += quick
            let weekday = clock.weekday
            weekly[weekday * LocalClock.slots + slot] += slow
            weeklyLately[weekday * LocalClock.slots + slot] += quick
            if clock.day != previousDay {
                previousDay = clock.day
                first[slot] += slow
                activeDays[weekday] += slow
                if clock.isWeekend { beginsWeekend[slot] += slow } else { beginsWorkday[slot] += slow }
            }
        }
        recent = Self.broadest.circular(recent)
        daily = Self.middle.circular(daily)
        exactWorkday = Self.exact.circular(workday)
        exactWeekend = Self.exact.circular(weekend)
        workday = Self.narrow.circular(workday)
        weekend = Self.middle.circular(weekend)
        workdayLately = Kernel.workdayLately.circular(workdayLately)
        weekendLately = Self.broad.circular(weekendLately)
        weekly = Self.broad.circular(weekly)
        weeklyLately = Self.broad.circular(weeklyLately)
        first = Self.middle.circular(first)
        exactLately = Self.exact.circular(exactLately)
        beginsWorkday = Self.hazard(Self.beginning.circular(beginsWorkday))
        beginsWeekend = Self.hazard(Self.beginning.circular(beginsWeekend))
    }

    /// The hazard among days without an earlier session; half a day is assumed to have none at all.
    private static func hazard(_ counts: [Float]) -> [Float] {
        var left = counts.reduce(0, +) + 0.5
        return counts.map { count in
            defer { left -= count }
            return count / max(left, 0.3)
        }
    }
}

extension Kernel {
    fileprivate static let workdayLately = Kernel(gaussian: 3.5)
}
