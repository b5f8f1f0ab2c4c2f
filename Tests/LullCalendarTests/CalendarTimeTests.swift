import LullCalendar
import LullModel
import Testing

/// The meaning of a time's text, and its instants.
struct CalendarTimeTests {
    /// Berlin in 2026.
    static let berlin = Zone(
        name: "Europe/Berlin", initialOffset: 3600,
        transitions: [
            .init(at: utc(2026, 3, 29, 1), offset: 7200), .init(at: utc(2026, 10, 25, 1), offset: 3600),
        ])
    static let newYork = Zone(
        name: "America/New_York", initialOffset: -18000,
        transitions: [
            .init(at: utc(2026, 3, 8, 7), offset: -14400), .init(at: utc(2026, 11, 1, 6), offset: -18000),
        ])
    /// Its clocks change by half an hour, and in the other half of the year.
    static let lordHowe = Zone(
        name: "Australia/Lord_Howe", initialOffset: 39600,
        transitions: [
            .init(at: utc(2026, 4, 4, 15), offset: 37800), .init(at: utc(2026, 10, 3, 15, 30), offset: 39600),
        ])

    static func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0) -> WallTime {
        let days = Int64(LocalTime.days(year: year, month: month, day: day))
        return WallTime(seconds: days * 86400 + Int64(hour * 3600 + minute * 60))
    }

    /// "03-29 03:00+2" and so on, the next instants after a time.
    static func instants(_ text: String, _ zone: Zone, after time: WallTime, count: Int) throws -> [String] {
        let times = try ExactTimes(text)
        var time = time
        var found: [String] = []
        while found.count < count, let next = times.next(after: time, in: zone) {
            let local = zone.local(next)
            let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
            let offset = Double(zone.offset(at: next)) / 3600
            let sign = offset < 0 ? "-" : "+"
            let hours =
                offset.magnitude == offset.magnitude.rounded()
                ? "\(Int(offset.magnitude))" : "\(offset.magnitude)"
            found.append(
                "\(two(local.month))-\(two(local.day)) \(two(local.hour)):\(two(local.minute))\(sign)\(hours)"
            )
            time = next
        }
        return found
    }

    @Test(arguments: [
        // The clocks go forward at 02:00: a fixed time in the gap comes right after it, a time of a wildcard is left out.
        ("30 2 * * *", ["03-28 02:30+1", "03-29 03:00+2", "03-30 02:30+2"]),
        ("daily 02:30", ["03-28 02:30+1", "03-29 03:00+2", "03-30 02:30+2"]),
        ("0,30 2 * * *", ["03-28 02:00+1", "03-28 02:30+1", "03-29 03:00+2", "03-30 02:00+2"]),
        ("0 3 * * *", ["03-28 03:00+1", "03-29 03:00+2", "03-30 03:00+2"]),
        ("0 2,3 * * *", ["03-28 02:00+1", "03-28 03:00+1", "03-29 03:00+2", "03-30 02:00+2"]),
        ("*/20 2 * * *", ["03-28 02:00+1", "03-28 02:20+1", "03-28 02:40+1", "03-30 02:00+2"]),
        ("0 */2 29 3 *", ["03-29 00:00+1", "03-29 04:00+2", "03-29 06:00+2"]),
        ("0 0-23/2 29 3 *", ["03-29 00:00+1", "03-29 03:00+2", "03-29 04:00+2"]),
        ("30 * 29 3 *", ["03-29 00:30+1", "03-29 01:30+1", "03-29 03:30+2"]),
    ])
    func `in Berlin the clocks go forward`(_ text: String, _ expected: [String]) throws {
        let found = try Self.instants(
            text, Self.berlin, after: Self.utc(2026, 3, 27, 12), count: expected.count)
        #expect(found == expected)
    }

    @Test(arguments: [
        ("30 2 * * *", ["10-25 02:30+2", "10-26 02:30+1"]),
        ("0 3 * * *", ["10-25 03:00+1", "10-26 03:00+1"]),
        ("59 1 * * *", ["10-25 01:59+2", "10-26 01:59+1"]),
        (
            "30 * * * *",
            ["10-25 00:30+2", "10-25 01:30+2", "10-25 02:30+2", "10-25 02:30+1", "10-25 03:30+1"]
        ),
        (
            "*/30 2 * * *",
            ["10-25 02:00+2", "10-25 02:30+2", "10-25 02:00+1", "10-25 02:30+1", "10-26 02:00+1"]
        ),
        ("0-59/30 2 * * *", ["10-25 02:00+2", "10-25 02:30+2", "10-26 02:00+1"]),
        ("@hourly", ["10-25 00:00+2", "10-25 01:00+2", "10-25 02:00+2", "10-25 02:00+1", "10-25 03:00+1"]),
    ])
    func `in Berlin the clocks go back`(_ text: String, _ expected: [String]) throws {
        let found = try Self.instants(
            text, Self.berlin, after: Self.utc(2026, 10, 24, 21, 59), count: expected.count)
        #expect(found == expected)
    }

    @Test func `in New York it is the same at other times`() throws {
        let spring = try Self.instants("30 2 * * *", Self.newYork, after: Self.utc(2026, 3, 8), count: 2)
        #expect(spring == ["03-08 03:00-4", "03-09 02:30-4"])
        let autumn = try Self.instants("30 1 * * *", Self.newYork, after: Self.utc(2026, 11, 1), count: 2)
        #expect(autumn == ["11-01 01:30-4", "11-02 01:30-5"])
        let hourly = try Self.instants(
            "30 */1 * * *", Self.newYork, after: Self.utc(2026, 11, 1, 5), count: 3)
        #expect(hourly == ["11-01 01:30-4", "11-01 01:30-5", "11-01 02:30-5"])
    }

    @Test func `on Lord Howe Island half an hour is skipped and repeated`() throws {
        let autumn = Self.utc(2026, 4, 4, 12)
        #expect(
            try Self.instants("45 1 * * *", Self.lordHowe, after: autumn, count: 2)
                == ["04-05 01:45+11", "04-06 01:45+10.5"])
        #expect(
            try Self.instants("45 * * * *", Self.lordHowe, after: Self.utc(2026, 4, 4, 14), count: 4)
                == ["04-05 01:45+11", "04-05 01:45+10.5", "04-05 02:45+10.5", "04-05 03:45+10.5"])
        #expect(
            try Self.instants("10 2 * * *", Self.lordHowe, after: Self.utc(2026, 10, 3), count: 2)
                == ["10-04 02:30+11", "10-05 02:10+11"])
        #expect(
            try Self.instants("10 * * * *", Self.lordHowe, after: Self.utc(2026, 10, 3, 15), count: 2)
                == ["10-04 03:10+11", "10-04 04:10+11"])
    }

    /// Samoa left out the 30th of December 2011, so its zone has no such day.
    @Test func `a day that a country leaves out is not made up for`() throws {
        let apia = Zone(
            name: "Pacific/Apia", initialOffset: -36000,
            transitions: [.init(at: Self.utc(2011, 12, 30, 10), offset: 50400)])
        let found = try Self.instants("0 12 * * *", apia, after: Self.utc(2011, 12, 29), count: 2)
        #expect(found == ["12-29 12:00-10", "12-31 12:00+14"])
    }

    @Test(arguments: [
        // Either the day of the month or the day of the week, where neither begins with an asterisk.
        ("0 4 13 * Fri", ["01-02", "01-09", "01-13", "01-16"]),
        ("0 4 13 * *", ["01-13", "02-13"]),
        ("0 4 * * Fri", ["01-02", "01-09"]),
        // Both, where one begins with an asterisk, as in Debian's cron; `*/2` begins with one.
        ("0 4 */2 * Fri", ["01-09", "01-23"]),
        ("0 4 1-31/2 * Fri", ["01-01", "01-02", "01-03", "01-05", "01-07", "01-09"]),
        ("0 4 13 * */5", ["02-13", "03-13", "09-13", "11-13"]),
        ("0 4 29 2 *", ["02-29", "02-29"]),
        ("0 4 * * 0", ["01-04"]), ("0 4 * * 7", ["01-04"]),
        ("0 4 * * 5-7", ["01-02", "01-03", "01-04", "01-09"]),
        ("0 4 * * Sat-Sun", ["01-03", "01-04", "01-10"]), ("0 4 * * sun,MON", ["01-04", "01-05"]),
        ("0 4 31 * *", ["01-31", "03-31", "05-31"]), ("0 4 1 jan-mar/2 *", ["01-01", "03-01", "01-01"]),
        ("@yearly", ["01-01"]), ("@annually", ["01-01"]), ("@monthly", ["01-01", "02-01"]),
        ("@weekly", ["01-04", "01-11"]), ("@daily", ["01-01", "01-02"]), ("@midnight", ["01-01", "01-02"]),
        ("monthly last 04:00", ["01-31", "02-28", "03-31"]), ("monthly 1,15 04:00", ["01-01", "01-15"]),
        ("monthly", ["01-01", "02-01"]), ("weekly Mon 04:00", ["01-05", "01-12"]),
        ("yearly 12-24 18:00", ["12-24", "12-24"]), ("Mon-Fri 08:30", ["01-01", "01-02", "01-05"]),
        ("Mon..Fri *-*-* 08:30:00", ["01-01", "01-02", "01-05"]), ("*-*-01 04:00", ["01-01", "02-01"]),
        ("Sat,Sun 22:00", ["01-03", "01-04"]),
        ("Fri-Mon 22:00", ["01-02", "01-03", "01-04", "01-05", "01-09"]),
        ("*-*~01 04:00", ["01-31", "02-28"]), ("*-01,07-01", ["01-01", "07-01"]), ("Monday", ["01-05"]),
        ("Mon *-*-1..7 12:00", ["01-05", "02-02"]), ("22:00", ["01-01", "01-02"]),
        ("*-02-29 04:00", ["02-29"]), ("12-24", ["12-24"]),
    ])
    func `the days that fit are these`(_ text: String, _ expected: [String]) throws {
        let found = try Self.instants(
            text, .utc, after: Self.utc(2025, 12, 31, 23, 59), count: expected.count)
        #expect(found.map { String($0.prefix(5)) } == expected)
    }

    @Test(arguments: [
        (
            "*/15 9-10 * * *",
            ["09:00", "09:15", "09:30", "09:45", "10:00", "10:15", "10:30", "10:45", "09:00"]
        ),
        ("5,1 0 * * *", ["00:01", "00:05"]), ("*/90 5 * * *", ["05:00", "05:00"]),
        ("10-20/5 5 * * *", ["05:10", "05:15", "05:20"]), ("hourly", ["00:00", "01:00"]),
        ("hourly :15", ["00:15", "01:15"]), ("*:0/20", ["00:00", "00:20", "00:40", "01:00"]),
        ("8..9:00,30", ["08:00", "08:30", "09:00", "09:30"]), ("*-*-* 0/12:30:00", ["00:30", "12:30"]),
        ("7:05", ["07:05"]), ("daily", ["00:00"]), ("02,14:30", ["02:30", "14:30"]),
        ("0 0,12 1 */2 *", ["00:00", "12:00"]), (" 30\t2  * * * ", ["02:30"]),
    ])
    func `the times of day are these`(_ text: String, _ expected: [String]) throws {
        let found = try Self.instants(
            text, .utc, after: Self.utc(2025, 12, 31, 23, 59), count: expected.count)
        #expect(found.map { String($0.dropFirst(6).dropLast(2)) } == expected)
    }

    @Test func `a leap day that falls on one day of the week is found decades ahead`() throws {
        let time = try CalendarTime("Mon *-02-29 04:00")
        #expect(time.next(after: Self.utc(2072, 3, 1), in: .utc) == Self.utc(2112, 2, 29, 4))
    }

    @Test func `all times of a task together have one order`() throws {
        var times = try ExactTimes("0 4 * * *")
        times.formUnion(try ExactTimes("@reboot"))
        times.formUnion(try ExactTimes("0 */4 * * *"))
        #expect(times.isAtBoot)
        #expect(times.next(after: Self.utc(2026, 1, 1, 1), in: .utc) == Self.utc(2026, 1, 1, 4))
        let day = (Self.utc(2026, 1, 1), Self.utc(2026, 1, 2))
        #expect(times.count(after: day.0, through: day.1, in: .utc, limit: 100) == 6)
        #expect(times.count(after: day.0, through: day.1, in: .utc, limit: 4) == 4)
    }

    @Test func `a shift is below the spread, the same each time, and another on another host`() throws {
        let task = try #require(TaskIdentifier("com.example.Backup.run"))
        let shifts = (0..<200).map { Spread.shift(of: task, on: "host\($0)", within: .minutes(10)) }
        #expect(shifts.allSatisfy { $0 >= .zero && $0 < .minutes(10) })
        #expect(Set(shifts.map(\.milliseconds)).count > 100)
        #expect(shifts[7] == Spread.shift(of: task, on: "host7", within: .minutes(10)))
        #expect(Spread.shift(of: task, on: "host", within: .zero) == .zero)
    }
}
