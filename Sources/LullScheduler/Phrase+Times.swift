import LullModel

extension Phrase {
    /// "02:30 tomorrow (Europe/Berlin)", "08:30 on Sunday (Europe/Berlin)": as a clock in that zone shows it.
    static func time(_ time: WallTime, seenFrom now: WallTime, in zone: Zone) -> String {
        let there = zone.local(time)
        let clock = moment(time, seenFrom: time, in: zone)
        let days = there.daysSinceEpoch - zone.local(now).daysSinceEpoch
        let day =
            switch days {
            case -1: "yesterday"
            case 0: "today"
            case 1: "tomorrow"
            case 2...6: "on " + weekdays[there.weekday]
            default: "on " + date(there)
            }
        return "\(clock) \(day) (\(zone.name))"
    }

    /// "at 08:30", "tomorrow at 08:30", "on Sunday at 04:00", "on 2026-11-21 at 04:00".
    static func when(_ time: WallTime, seenFrom now: WallTime, in zone: Zone) -> String {
        let there = zone.local(time)
        let clock = "at " + moment(time, seenFrom: time, in: zone)
        switch there.daysSinceEpoch - zone.local(now).daysSinceEpoch {
        case -1: return "yesterday " + clock
        case 0: return clock
        case 1: return "tomorrow " + clock
        case 2...6: return "on \(weekdays[there.weekday]) \(clock)"
        default: return "on \(date(there)) \(clock)"
        }
    }

    /// "1 time", "5 times", "1001 times or more".
    static func times(_ count: Int) -> String {
        Phrase.count(count, "time") + (count > Limits.countedTimes ? " or more" : "")
    }
}

extension LocalTime {
    fileprivate var daysSinceEpoch: Int { LocalTime.days(year: year, month: month, day: day) }
}
