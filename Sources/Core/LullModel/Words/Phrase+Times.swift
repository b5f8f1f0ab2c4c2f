/// Instants, as clocks in the reader's zone show them.
extension Phrase {
    package static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    package static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// "08:30".
    package static func clock(_ time: WallTime, in zone: Zone) -> String { clock(zone.local(time)) }

    package static func clock(_ local: LocalTime) -> String { two(local.hour) + ":" + two(local.minute) }

    /// "2026-11-21".
    package static func date(_ local: LocalTime) -> String {
        "\(local.year)-" + two(local.month) + "-" + two(local.day)
    }

    /// "25 Dec": a day counted from 1970-01-01, within a year of now.
    package static func day(_ day: Int) -> String {
        let date = LocalTime(secondsSinceEpoch: Int64(day) * 86400)
        return "\(date.day) \(months[date.month - 1])"
    }

    /// "2026-12-25".
    package static func date(ofDay day: Int) -> String {
        date(LocalTime(secondsSinceEpoch: Int64(day) * 86400))
    }

    /// "08:30" today, "Sunday 04:00" within a week to come, "2026-11-21 04:00" otherwise.
    package static func moment(_ time: WallTime, seenFrom now: WallTime, in zone: Zone) -> String {
        let there = zone.local(time)
        switch days(to: there, seenFrom: now, in: zone) {
        case 0: return clock(there)
        case 1...6: return weekdays[there.weekday] + " " + clock(there)
        default: return date(there) + " " + clock(there)
        }
    }

    /// For a table's cell: "08:30", "yesterday 23:10", "Mon 04:00", "12 Oct 04:00", "2024-03-01 04:00".
    package static func cell(_ time: WallTime, seenFrom now: WallTime, in zone: Zone) -> String {
        let there = zone.local(time)
        let day: String? =
            switch days(to: there, seenFrom: now, in: zone) {
            case 0: nil
            case 1: "tomorrow"
            case -1: "yesterday"
            case 2...6: String(weekdays[there.weekday].prefix(3))
            case -299...299: "\(there.day) \(months[there.month - 1])"
            default: date(there)
            }
        return (day.map { $0 + " " } ?? "") + clock(there)
    }

    /// "at 08:30", "tomorrow at 08:30", "on Sunday at 04:00", "on 2026-11-21 at 04:00".
    package static func when(_ time: WallTime, seenFrom now: WallTime, in zone: Zone) -> String {
        let there = zone.local(time)
        let clock = "at " + clock(there)
        switch days(to: there, seenFrom: now, in: zone) {
        case 0: return clock
        case let days: return day(there, days) + " " + clock
        }
    }

    /// The same after a preposition: "08:30", "tomorrow at 08:30", "Sunday at 04:00".
    package static func instant(_ time: WallTime, seenFrom now: WallTime, in zone: Zone) -> String {
        let text = when(time, seenFrom: now, in: zone)
        return text.hasPrefix("at ") || text.hasPrefix("on ") ? String(text.dropFirst(3)) : text
    }

    /// "02:30 tomorrow (Europe/Berlin)", "08:30 on Sunday (Europe/Berlin)": in a zone that may not be the reader's.
    package static func time(_ time: WallTime, seenFrom now: WallTime, in zone: Zone) -> String {
        let there = zone.local(time)
        return "\(clock(there)) \(day(there, days(to: there, seenFrom: now, in: zone))) (\(zone.name))"
    }

    private static func day(_ there: LocalTime, _ days: Int) -> String {
        switch days {
        case -1: "yesterday"
        case 0: "today"
        case 1: "tomorrow"
        case 2...6: "on " + weekdays[there.weekday]
        default: "on " + date(there)
        }
    }

    private static func days(to there: LocalTime, seenFrom now: WallTime, in zone: Zone) -> Int {
        there.daysSinceEpoch - zone.local(now).daysSinceEpoch
    }

    /// "1 time", "5 times", "1001 times or more".
    package static func times(_ count: Int) -> String {
        Phrase.count(count, "time") + (count > Limits.countedTimes ? " or more" : "")
    }
}

extension LocalTime {
    fileprivate var daysSinceEpoch: Int { LocalTime.days(year: year, month: month, day: day) }
}
