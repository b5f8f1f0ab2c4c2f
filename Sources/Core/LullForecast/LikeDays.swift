import RealModule

/// The later sessions of past days that began like today: a like number of sessions by this time, with the latest and the
/// first at like times.
struct LikeDays {
    /// By quarter-hours from 04:00 today until the end of tomorrow.
    let later: [Float]
    /// The sum of the days' likenesses.
    let weight: Float
    /// Today's number of sessions, and when the first began.
    let sessionsToday: Int
    let firstToday: Int

    private static let blur = Kernel(triangle: 4)

    init(_ past: Past) {
        let last = past.count - 1
        let today = past.clocks[last]
        var count = 0
        var first = today.second
        var index = last
        while index >= 0, past.clocks[index].day == today.day {
            count += 1
            first = past.clocks[index].second
            index -= 1
        }
        var later = [Float](repeating: 0, count: 2 * LocalClock.slots)
        var total: Float = 0
        var begin = 0
        while begin < past.count, past.clocks[begin].day < today.day {
            let day = past.clocks[begin].day
            var end = begin
            var seen = 0
            var latest = -1
            while end < past.count, past.clocks[end].day == day {
                if past.clocks[end].second <= today.second + 1800 {
                    seen += 1
                    latest = past.clocks[end].second
                }
                end += 1
            }
            defer { begin = max(end, begin + 1) }
            guard seen > 0 else { continue }
            let more = Float(seen - count) / (0.7 + 0.35 * Float(count))
            let later1 = Float(abs(latest - today.second)) / 7200
            let later2 = Float(abs(past.clocks[begin].second - first)) / 10800
            let likeness =
                past.weights[begin] * Float.exp(-0.5 * more * more - later1 - later2)
                * (past.clocks[begin].isWeekend == today.isWeekend ? 1 : 0.4)
            guard likeness > 1e-3 else { continue }
            total += likeness
            var next = begin
            while next < past.count, past.clocks[next].day <= day + 1 {
                let clock = past.clocks[next]
                let slot = (clock.day - day) * LocalClock.slots + clock.slot
                if slot >= 0, slot < later.count, clock.day > day || clock.second > latest {
                    later[slot] += likeness
                }
                next += 1
            }
        }
        self.later = Self.blur.line(later)
        weight = total
        sessionsToday = count
        firstToday = first
    }
}
