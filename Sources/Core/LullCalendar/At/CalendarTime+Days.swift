public import LullModel

/// The days and minutes that match.
extension CalendarTime {
    /// False for the 31st of February: no year has such a day.
    public var comesEver: Bool {
        // After 400 years the calendar is the same again.
        (2000..<2400).contains { year in (1...12).contains { fitting(year: year, month: $0) != 0 } }
    }

    /// The days of a month that match: bit 1 is the first.
    func fitting(year: Int, month: Int) -> UInt32 {
        guard months & 1 << UInt16(month) != 0 else { return 0 }
        let first = LocalTime.days(year: year, month: month, day: 1)
        let next =
            month == 12
            ? LocalTime.days(year: year + 1, month: 1, day: 1)
            : LocalTime.days(year: year, month: month + 1, day: 1)
        let length = next - first
        let all = UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(length + 1)) - 2)
        var byDay = days
        if lastDays != 0 {
            for back in 1...length where lastDays & 1 << UInt32(back) != 0 {
                byDay |= 1 << UInt32(length + 1 - back)
            }
        }
        // The weekdays from that of the first day on, repeated for five weeks.
        let turn = ((first + 3) % 7 + 7) % 7
        let week = (UInt64(weekdays) >> UInt64(turn) | UInt64(weekdays) << UInt64(7 - turn)) & 127
        let fiveTimes: UInt64 = 0x1020_4081
        let byWeekday = UInt32(truncatingIfNeeded: (week * fiveTimes) << 1)
        return (takesEitherDay ? byDay | byWeekday : byDay & byWeekday) & all
    }

    /// How many months the search looks ahead: a 29th of February on a Monday may be forty years away.
    private static let horizon = 12 * 41

    /// The first matching local minute, counted from 1970, from `start` on and before `end`.
    func firstMinute(from start: Int64, before end: Int64) -> Int64? {
        guard start < end else { return nil }
        let today = start >= 0 ? start / 1440 : (start - 1439) / 1440
        let date = LocalTime(secondsSinceEpoch: today * 86400)
        var (year, month) = (date.year, date.month)
        var left = fitting(year: year, month: month) & ~((1 << UInt32(date.day)) - 1)
        if left & 1 << UInt32(date.day) != 0 {
            if let minute = minute(from: Int(start - today * 1440)) {
                let found = today * 1440 + Int64(minute)
                return found < end ? found : nil
            }
            left &= ~(1 << UInt32(date.day))
        }
        for _ in 0..<Self.horizon {
            if left != 0 {
                let day = LocalTime.days(year: year, month: month, day: left.trailingZeroBitCount)
                let found = Int64(day) * 1440 + Int64(minute(from: 0) ?? 0)
                return found < end ? found : nil
            }
            (year, month) = month == 12 ? (year + 1, 1) : (year, month + 1)
            guard Int64(LocalTime.days(year: year, month: month, day: 1)) * 1440 < end else { return nil }
            left = fitting(year: year, month: month)
        }
        return nil
    }

    /// The first matching minute of a day, from `start` on.
    private func minute(from start: Int) -> Int? {
        let (hour, minute) = (start / 60, start % 60)
        if hours & 1 << UInt32(hour) != 0 {
            let rest = minutes >> UInt64(minute)
            if rest != 0 { return start + rest.trailingZeroBitCount }
        }
        let later = UInt64(hours) & ~((1 << UInt64(hour + 1)) - 1)
        return later == 0 ? nil : later.trailingZeroBitCount * 60 + minutes.trailingZeroBitCount
    }
}
