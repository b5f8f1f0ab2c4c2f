import LullModel

/// The loop of Debian's cron, minute by minute and as plain as can be: a second opinion on when a crontab's lines run.
///
/// It knows nothing of Lull's calendar: fields are tables of booleans, dates are counted day by day, and what happens where
/// the clocks are changed is what cron's four cases make of it.
struct PlainCron {
    struct Line {
        var minutes = [Bool](repeating: false, count: 60)
        var hours = [Bool](repeating: false, count: 24)
        var days = [Bool](repeating: false, count: 32)
        var months = [Bool](repeating: false, count: 13)
        var weekdays = [Bool](repeating: false, count: 8)
        var minuteStar = false
        var hourStar = false
        var dayStar = false
        var weekdayStar = false

        var isWild: Bool { minuteStar || hourStar }
    }

    private let lines: [Line]

    init(_ texts: [String]) { lines = texts.map(Self.line) }

    /// The instants at which each line runs, after `start` and up to `end`, which are whole minutes.
    func runs(after start: WallTime, through end: WallTime, in zone: Zone) -> [[WallTime]] {
        var runs = [[WallTime]](repeating: [], count: lines.count)
        func clock(_ time: WallTime) -> Int64 { (time.seconds + Int64(zone.offset(at: time))) / 60 }
        func find(_ minute: Int64, wild: Bool, fixed: Bool, at time: WallTime) {
            let date = Date(minute)
            for (index, line) in lines.enumerated() where line.isWild ? wild : fixed {
                // Several that are run together are one.
                if Self.fits(line, date), runs[index].last != time { runs[index].append(time) }
            }
        }
        var virtual = clock(start)
        var time = start
        while time < end {
            time = time + .minutes(1)
            let running = clock(time)
            let difference = running - virtual
            if difference == 1 || difference > 180 || difference <= -180 {
                virtual = running
                find(virtual, wild: true, fixed: true, at: time)
            } else if difference > 5 {
                find(running, wild: true, fixed: false, at: time)
                while virtual < running {
                    virtual += 1
                    find(virtual, wild: false, fixed: true, at: time)
                }
            } else if difference > 0 {
                while virtual < running {
                    virtual += 1
                    find(virtual, wild: true, fixed: true, at: time)
                }
            } else {
                find(running, wild: true, fixed: false, at: time)
            }
        }
        return runs
    }

    private struct Date {
        var year = 1970
        var month = 1
        var day: Int
        /// Sunday is 0.
        let weekday: Int
        let hour: Int
        let minute: Int

        init(_ minutes: Int64) {
            let days = Int(minutes / 1440)
            (hour, minute) = (Int(minutes % 1440) / 60, Int(minutes % 60))
            weekday = (days + 4) % 7
            day = days + 1
            while day > (Self.isLeap(year) ? 366 : 365) {
                day -= Self.isLeap(year) ? 366 : 365
                year += 1
            }
            let lengths = [31, Self.isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            while day > lengths[month - 1] {
                day -= lengths[month - 1]
                month += 1
            }
        }

        private static func isLeap(_ year: Int) -> Bool {
            year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        }
    }

    private static func fits(_ line: Line, _ date: Date) -> Bool {
        guard line.minutes[date.minute], line.hours[date.hour], line.months[date.month] else { return false }
        return line.dayStar || line.weekdayStar
            ? line.days[date.day] && line.weekdays[date.weekday]
            : line.days[date.day] || line.weekdays[date.weekday]
    }

    // MARK: Reading a line

    private static func line(_ text: String) -> Line {
        let words = [
            "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
            "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
        ]
        let fields = (words[text] ?? text).split(separator: " ").map(String.init)
        var line = Line()
        line.minuteStar = fields[0].hasPrefix("*")
        line.hourStar = fields[1].hasPrefix("*")
        line.dayStar = fields[2].hasPrefix("*")
        line.weekdayStar = fields[4].hasPrefix("*")
        set(fields[0], 0, 59, [], &line.minutes)
        set(fields[1], 0, 23, [], &line.hours)
        set(fields[2], 1, 31, [], &line.days)
        set(
            fields[3], 1, 12,
            ["", "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"],
            &line.months)
        set(fields[4], 0, 7, ["sun", "mon", "tue", "wed", "thu", "fri", "sat"], &line.weekdays)
        let sunday = line.weekdays[0] || line.weekdays[7]
        (line.weekdays[0], line.weekdays[7]) = (sunday, sunday)
        return line
    }

    private static func set(_ field: String, _ low: Int, _ high: Int, _ names: [String], _ bits: inout [Bool])
    {
        func number(_ text: Substring) -> Int { Int(text) ?? names.firstIndex(of: text.lowercased()) ?? -1 }
        for item in field.split(separator: ",") {
            let halves = item.split(separator: "/")
            let step = halves.count > 1 ? number(halves[1]) : 1
            let ends = halves[0].split(separator: "-")
            var first = low
            var last = high
            if halves[0] != "*" {
                first = number(ends[0])
                last = ends.count > 1 ? number(ends[1]) : first
            }
            for value in first...last where (value - first) % step == 0 { bits[value] = true }
        }
    }
}
