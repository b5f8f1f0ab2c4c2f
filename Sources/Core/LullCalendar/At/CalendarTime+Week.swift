public import LullModel

/// What can be said of a time without a zone and without a date.
extension CalendarTime {
    /// Every week is like the others: it names neither months nor days of the month.
    public var isWeekly: Bool {
        days == Self.everyDay && lastDays == 0 && months == Self.everyMonth && !takesEitherDay
    }

    /// It names months and days of the month alone, so that each year is like the others.
    public var isOfDates: Bool { weekdays == Self.everyWeekday && !takesEitherDay }

    /// The first minute of the local week, from Monday's midnight on, at which it may come and that `fits`.
    ///
    /// A day of the month is each day of the week in turn; so what names days of the month alone may come on all.
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
