import Foundation
import LullCalendar
import LullModel
import Testing

@testable import LullImport

/// A month of the imported crontab is the month that cron would have made of it, minute by minute.
struct MonthOfCronTests {
    /// A line's fields as cron matches them: a minute at a time, and nothing cleverer.
    private struct Cron {
        let fields: [Set<Int>]
        let hasStar: [Bool]

        init(_ text: String) throws {
            let words = [
                "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0",
                "@monthly": "0 0 1 * *",
            ]
            let names: [[String]] = [
                [], [], [], [], ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
            ]
            let limits = [0...59, 0...23, 1...31, 1...12, 0...7]
            let parts = (words[text] ?? text).split(separator: " ").map(String.init)
            try #require(parts.count == 5)
            func number(_ text: Substring, _ field: Int) throws -> Int {
                try names[field].firstIndex(of: String(text)) ?? #require(Int(text))
            }
            fields = try parts.enumerated().map { field, text in
                var set: Set<Int> = []
                for part in text.split(separator: ",") {
                    let halves = part.split(separator: "/")
                    let step = halves.count == 2 ? try #require(Int(halves[1])) : 1
                    let ends = halves[0].split(separator: "-")
                    let all = halves[0] == "*"
                    let low = all ? limits[field].lowerBound : try number(ends[0], field)
                    let high = all ? limits[field].upperBound : try number(ends[ends.count - 1], field)
                    set.formUnion(stride(from: low, through: high, by: step))
                }
                if field == 4, set.contains(7) { set.insert(0) }
                return set
            }
            hasStar = parts.map { $0.hasPrefix("*") }
        }

        /// `parts`: minute, hour, day, month, day of the week.
        func matches(_ parts: [Int]) -> Bool {
            let (day, weekday) = (fields[2].contains(parts[2]), fields[4].contains(parts[4]))
            return fields[0].contains(parts[0]) && fields[1].contains(parts[1])
                && fields[3].contains(parts[3])
                && (hasStar[2] || hasStar[4] ? day && weekday : day || weekday)
        }
    }

    /// February 2028, which is a leap year's, and the month in which New York's clocks go forward.
    @Test(arguments: [(2028, 2), (2026, 3)])
    func `each launch is at the minute that cron would choose`(year: Int, month: Int) throws {
        let read = try Samples.read(try Samples.crontab(try Samples.text("crontab")))
        var compared = 0
        for name in ["UTC", "America/New_York"] {
            let zone = try #require(TimeZone(identifier: name))
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            let start = try #require(calendar.date(from: DateComponents(year: year, month: month)))
            let end = try #require(calendar.date(byAdding: .month, value: 1, to: start))
            let first = Int64(start.timeIntervalSince1970)
            let minutes = (0..<Int64(end.timeIntervalSince(start)) / 60).map { first + $0 * 60 }
            let parts = minutes.map { second in
                let found = calendar.dateComponents(
                    [.minute, .hour, .day, .month, .weekday],
                    from: Date(timeIntervalSince1970: Double(second)))
                return [found.minute, found.hour, found.day, found.month, found.weekday.map { $0 - 1 }].map {
                    $0 ?? -1
                }
            }
            let own = lullZone(zone, around: start)
            for task in read.tasks where (task.timezone ?? "UTC") == name {
                let at = try #require(task.at)
                guard let time = at.calendar.first else { continue }
                let cron = try Cron(time.text)
                let expected = zip(minutes, parts).filter { cron.matches($0.1) }.map(\.0)
                var launches: [Int64] = []
                var now = WallTime(seconds: first - 1)
                while let next = at.next(after: now, in: own), next.seconds < minutes[minutes.count - 1] + 60
                {
                    launches.append(next.seconds)
                    now = next
                }
                #expect(launches == expected, "\(task.identifier) in \(name)")
                compared += 1
            }
        }
        #expect(compared == read.tasks.count - 1, "all but @reboot")
    }

    private func lullZone(_ zone: TimeZone, around start: Date) -> Zone {
        var transitions: [Zone.Transition] = []
        let from = start.addingTimeInterval(-400 * 86400)
        var at = from
        while transitions.count < 6, let next = zone.nextDaylightSavingTimeTransition(after: at) {
            transitions.append(
                Zone.Transition(
                    at: WallTime(seconds: Int64(next.timeIntervalSince1970)),
                    offset: zone.secondsFromGMT(for: next)))
            at = next
        }
        return Zone(
            name: zone.identifier, initialOffset: zone.secondsFromGMT(for: from), transitions: transitions)
    }
}
