import LullModel

/// The place of an instant in a person's day and week.
///
/// A person's day ends at four in the morning, not at midnight: uses at one o'clock belong to the day before.
struct LocalClock {
    static let day = 86400
    static let slots = 96
    private static let dayBegins = 4 * 3600

    /// Days since 1970 that begin at 04:00 local time.
    let day: Int
    /// Since 04:00, 0..<86400.
    let second: Int

    init(second time: Int, offset: Int) {
        let local = time + offset - Self.dayBegins
        day = local.dividedDown(by: Self.day)
        second = local - day * Self.day
    }

    /// Monday is 0; 1970-01-01 was a Thursday.
    var weekday: Int {
        let shifted = day + 3
        return shifted - shifted.dividedDown(by: 7) * 7
    }
    var isWeekend: Bool { weekday >= 5 }
    var slot: Int { second / 900 }
}
