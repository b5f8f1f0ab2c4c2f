public import LullModel

/// Properties of a time that need neither a zone nor a date.
extension CalendarTime {
    /// Whether every week is the same: it has no months and no days of the month.
    public var isWeekly: Bool {
        days == Self.everyDay && lastDays == 0 && months == Self.everyMonth && !takesEitherDay
    }

    /// Whether it has only months and days of the month, so that every year is the same.
    public var isOfDates: Bool { weekdays == Self.everyWeekday && !takesEitherDay }

    /// The first minute of the local week, from Monday's midnight on, at which it can come and for which `fits` holds.
    ///
    /// A day of the month can be any day of the week, so a time with days of the month can come on every weekday.
    public func firstMinuteOfWeek(where fits: (Int) -> Bool) -> Int? {
        let weekdays = takesEitherDay ? Self.everyWeekday : weekdays
        for day in 0..<7 where weekdays & 1 << UInt8(day) != 0 {
            for hour in 0..<24 where hours & 1 << UInt32(hour) != 0 {
                for minute in 0..<60 where minutes & 1 << UInt64(minute) != 0 {
                    let found = (day * 24 + hour) * 60 + minute
                    if fits(found) { return found }
                }
            }
        }
        return nil
    }
}
