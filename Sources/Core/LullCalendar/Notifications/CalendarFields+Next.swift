public import LullModel

extension CalendarFields {
    /// The first instant after `time` whose local time matches; nil: there is none.
    ///
    /// As with `at`: a fixed time that a clock change skips comes at the moment of the change, and a repeated one comes the
    /// first time. Without an hour the instants follow the wall clock, which skips or repeats them.
    public func next(after time: WallTime, in zone: Zone) -> WallTime? {
        guard isValid else { return nil }
        // `CalendarTime` has minutes only: the seconds are added to each.
        let seconds: Duration = .seconds(second ?? 0)
        let minutes = self.minutes
        var from = time - seconds
        // Local time differs from UTC by no more than a day.
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

    /// Fields coarser than the finest given one may have any value, and finer fields have their least.
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
