import LullModel

/// How often each task is launched on each day, a sign a day and a column a week, which begins on Monday.
struct SimulateCalendar {
    static let legend = "One sign a day, from Monday on: · none, + 10 launches or more."
    /// More days do not fit into a picture.
    static let mostDays = 62

    let start: WallTime
    let days: Int
    let zone: Zone

    /// The days by their number since 1970, in the zone.
    private func day(of time: WallTime) -> Int64 {
        let seconds = time.seconds + Int64(zone.offset(at: time))
        return seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    }

    private var all: ClosedRange<Int64> {
        let first = day(of: start)
        // The last of so many days ends within one more, unless they begin at midnight.
        return first...max(first, day(of: start + .days(days) - .milliseconds(1)))
    }

    private func weekday(_ day: Int64) -> Int { LocalTime(secondsSinceEpoch: day * 86400).weekday }

    /// The first day of each column: where the days begin, and each Monday.
    private var weeks: [Int64] { all.filter { $0 == all.lowerBound || weekday($0) == 0 } }

    var header: [String] {
        weeks.map { day in
            let local = LocalTime(secondsSinceEpoch: day * 86400)
            return "\(local.day) \(Phrase.months[local.month - 1])"
        }
    }

    func cells(of launches: [WallTime]) -> [String] {
        var counts: [Int64: Int] = [:]
        for time in launches { counts[day(of: time), default: 0] += 1 }
        return weeks.map { first in
            let before = String(repeating: " ", count: weekday(first))
            let rest = (first...(first + Int64(6 - weekday(first)))).filter(all.contains)
            return before + rest.map { Self.sign(counts[$0] ?? 0) }.joined()
        }
    }

    private static func sign(_ count: Int) -> String { count == 0 ? "·" : count < 10 ? String(count) : "+" }
}
