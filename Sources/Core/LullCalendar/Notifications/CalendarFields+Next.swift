public import LullModel

extension CalendarFields {
    /// The first instant after `time` at which a local clock shows this; nil: none does.
    ///
    /// As `at` has it: a fixed time that the clocks skip comes the moment they have been put forward, one that they
    /// repeat comes the first time. Without an hour it goes by what the clock shows, skipped or repeated.
    public func next(after time: WallTime, in zone: Zone) -> WallTime? {
        guard isValid else { return nil }
        // `CalendarTime` knows minutes: the seconds go on top of each.
        let seconds: Duration = .seconds(second ?? 0)
        let minutes = self.minutes
        var from = time - seconds
        // No instant of a year is more than a day from where UTC has it.
        if let year {
            let start = WallTime(seconds: Int64(LocalTime.days(year: year, month: 1, day: 1) - 2) * 86_400)
            from = max(from, start)
        }
        while let minute = minutes.next(after: from, in: zone) {
            guard let year else { return minute + seconds }
            let found = zone.local(minute).year
            if found == year { return minute + seconds }
            guard found < year else { return nil }
            from = minute
        }
        return nil
    }

    /// What is coarser than the finest that is given may be anything, and what is finer is the least.
    private var minutes: CalendarTime {
        var minutes = CalendarTime(text: "")
        let isToTheSecond = second != nil
        let isToTheMinute = isToTheSecond || minute != nil
        let isToTheHour = isToTheMinute || hour != nil
        let isToTheDay = isToTheHour || day != nil || weekday != nil
        if let minute {
            minutes.minutes = 1 << UInt64(minute)
        } else if isToTheSecond {
            minutes.minutes = (1 << 60) - 1
        }
        if let hour {
            minutes.hours = 1 << UInt32(hour)
        } else if isToTheMinute {
            minutes.hours = CalendarTime.everyHour
        }
        if let day {
            minutes.days = 1 << UInt32(day)
        } else if !isToTheDay {
            minutes.days = 1 << 1
        }
        if let weekday { minutes.weekdays = 1 << UInt8((weekday + 5) % 7) }
        if let month {
            minutes.months = 1 << UInt16(month)
        } else if !isToTheDay {
            // The year alone.
            minutes.months = 1 << 1
        }
        minutes.isWildcard = hour == nil && isToTheMinute
        return minutes
    }
}
