import LullModel

/// The numbers of a time as they were read, and the instant that they name.
struct TimeParts: Sendable, Equatable {
    enum Field: Int, Sendable {
        case year, yearOfCentury, century, month, day, dayOfYear, hour, hourOfHalf, minute, second, epoch
        /// Read and ignored: a day or a week of another calendar.
        case other

        var range: ClosedRange<Int> {
            switch self {
            case .year: 0...9999
            case .yearOfCentury, .century: 0...99
            case .month: 1...12
            case .day: 1...31
            case .dayOfYear: 1...366
            case .hour: 0...23
            case .hourOfHalf: 1...12
            case .minute: 0...59
            // A leap second is the next second.
            case .second: 0...60
            case .epoch: 0...253_402_300_799
            case .other: 0...9999
            }
        }
    }

    private var numbers = [Int?](repeating: nil, count: 12)
    var isAfternoon: Bool?
    var milliseconds = 0
    /// Seconds east of UTC, where the text says so.
    var offset: Int?

    subscript(field: Field) -> Int? {
        get { numbers[field.rawValue] }
        set { numbers[field.rawValue] = newValue }
    }

    /// Nil if there is no such time, or too few parts were read.
    ///
    /// A missing year is the latest one that puts the time at most a day after `reference`. A local time that occurs twice
    /// means the earlier instant; a local time that the clocks skipped is read with the offset from before the change.
    func time(zone: Zone, reference: WallTime) -> WallTime? {
        if let epoch = self[.epoch] {
            return WallTime(milliseconds: Int64(epoch) * 1000 + Int64(milliseconds))
        }
        guard let secondOfDay else { return nil }
        func instant(in year: Int) -> WallTime? {
            guard let days = days(in: year) else { return nil }
            return Self.instant(Int64(days) * 86_400 + Int64(secondOfDay), offset: offset, zone: zone)
                + .milliseconds(milliseconds)
        }
        if let year { return instant(in: year) }
        let latest = reference + .days(1)
        let year = zone.local(latest).year
        // 29 February is up to eight years away.
        for year in stride(from: year, through: year - 8, by: -1) {
            if let time = instant(in: year), time <= latest { return time }
        }
        return nil
    }

    private var year: Int? {
        if let year = self[.year] { return year }
        guard let short = self[.yearOfCentury] else { return nil }
        if let century = self[.century] { return century * 100 + short }
        return short < 69 ? 2000 + short : 1900 + short
    }

    private var secondOfDay: Int? {
        let hour: Int
        if let whole = self[.hour] {
            hour = whole
        } else if let half = self[.hourOfHalf], let isAfternoon {
            hour = half % 12 + (isAfternoon ? 12 : 0)
        } else {
            return nil
        }
        return hour * 3600 + (self[.minute] ?? 0) * 60 + (self[.second] ?? 0)
    }

    /// Days since 1970 of the date in `year`; nil if the year has no such day.
    private func days(in year: Int) -> Int? {
        let first = LocalTime.days(year: year, month: 1, day: 1)
        let next = LocalTime.days(year: year + 1, month: 1, day: 1)
        if let month = self[.month], let day = self[.day] {
            let start = LocalTime.days(year: year, month: month, day: 1)
            let end = month == 12 ? next : LocalTime.days(year: year, month: month + 1, day: 1)
            return day <= end - start ? start + day - 1 : nil
        }
        guard let dayOfYear = self[.dayOfYear], dayOfYear <= next - first else { return nil }
        return first + dayOfYear - 1
    }

    /// The instant at which a clock on the wall shows `local` seconds since 1970.
    private static func instant(_ local: Int64, offset: Int?, zone: Zone) -> WallTime {
        if let offset { return WallTime(seconds: local - Int64(offset)) }
        let shown = WallTime(seconds: local)
        let before = zone.offset(at: shown - .days(1))
        let after = zone.offset(at: shown + .days(1))
        let earlier = WallTime(seconds: local - Int64(before))
        let later = WallTime(seconds: local - Int64(after))
        return zone.offset(at: earlier) == before || zone.offset(at: later) != after ? earlier : later
    }
}
