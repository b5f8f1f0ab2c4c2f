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

    /// "1 time", "5 times", "1001 times or more".
    static func times(_ count: Int) -> String {
        Phrase.count(count, "time") + (count > Limits.countedTimes ? " or more" : "")
    }
}

extension LocalTime {
    fileprivate var daysSinceEpoch: Int { LocalTime.days(year: year, month: month, day: day) }
}
