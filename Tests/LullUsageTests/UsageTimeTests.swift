import LullModel
import Testing

@testable import LullUsage

/// Times in lines: the accepted forms, their zones, and the refused ones.
struct UsageTimeTests {
    /// Berlin around 2026: summer from 29 March 01:00 UTC to 25 October 01:00 UTC.
    static let berlin = Zone(
        name: "Europe/Berlin", initialOffset: 3600,
        transitions: [
            .init(at: WallTime(seconds: 1_774_746_000), offset: 7200),
            .init(at: WallTime(seconds: 1_792_890_000), offset: 3600),
        ])
    /// 2026-11-21 08:00:00 UTC.
    static let reference = WallTime(seconds: 1_795_248_000)

    struct Case: Sendable, CustomTestStringConvertible {
        let format: UsageSource.TimeFormat
        let line: String
        let milliseconds: Int64?
        var testDescription: String { "\(format): \(line)" }

        init(_ format: UsageSource.TimeFormat, _ line: String, _ milliseconds: Int64?) {
            self.format = format
            self.line = line
            self.milliseconds = milliseconds
        }
    }

    @Test(arguments: cases)
    func `the first time of a line is read`(_ item: Case) {
        let time = UsageTime(item.format).first(
            in: Array(item.line.utf8)[...], zone: Self.berlin, reference: Self.reference)
        #expect(time?.milliseconds == item.milliseconds)
    }

    static let cases: [Case] = [
        Case(
            .common, #"::1 - - [21/Nov/2026:08:00:00 +0000] "GET /feed HTTP/1.1" 200 5"#, 1_795_248_000_000),
        Case(.common, #"::1 - [me] [21/Nov/2026:09:00:00 +0100] "GET / HTTP/1.1" 200 5"#, 1_795_248_000_000),
        Case(.common, "[31/Feb/2026:08:00:00 +0000]", nil),
        Case(.common, "[1/Nov/2026:08:00:00 +0000]", nil),
        Case(.common, "[21/Nov/2026:24:00:00 +0000]", nil),
        Case(.common, "[21/Nov/2026:08:00:00 +0000", nil),
        Case(.common, "[21/Nov/2026:08:00:00]", nil),
        Case(.rfc3339, "at 2026-11-21T08:00:00Z: opened", 1_795_248_000_000),
        Case(.rfc3339, "2026-11-21t09:30:00.1239+01:30 opened", 1_795_248_000_123),
        Case(.rfc3339, "1970-01-01T00:00:00-00:00", 0),
        Case(.rfc3339, "12026-11-21T08:00:00Z", nil),
        Case(.rfc3339, "2026-11-21T08:00:00", nil),
        Case(.rfc3339, "2026-11-21T08:00:00+0100", nil),
        Case(.rfc3339, "2026-11-31T08:00:00Z, then 2026-11-21T08:00:00Z", 1_795_248_000_000),
        Case(.rfc3339, "", nil),
        Case(.strptime("%Y-%m-%d %H:%M:%S"), "2026-11-21 09:00:00,123 INFO", 1_795_248_000_000),
        Case(.strptime("%Y-%m-%d %H:%M:%S"), "INFO 2026-07-01   10:00:00", 1_782_892_800_000),
        Case(.strptime("%Y-%m-%d %H:%M:%S"), "2026-11-21 09:00:001", nil),
        Case(.strptime("%F %T %z"), "2026-11-21 03:00:00 -0500", 1_795_248_000_000),
        Case(.strptime("%F %T %Z"), "2026-11-21 08:00:00 UTC", 1_795_248_000_000),
        Case(.strptime("%F %T %Z"), "2026-11-21 09:00:00 CET", 1_795_248_000_000),
        Case(.strptime("%b %e %H:%M:%S"), "Nov 21 09:00:00 host app: opened", 1_795_248_000_000),
        Case(.strptime("%b %e %H:%M:%S"), "nov  2 09:00:00 host", 1_793_606_400_000),
        // The year before: this year it would be in the future.
        Case(.strptime("%b %e %H:%M:%S"), "Dec 31 23:00:00 host", 1_767_218_400_000),
        Case(.strptime("%b %e %H:%M"), "Feb 29 12:00 host", 1_709_204_400_000),
        Case(.strptime("%s"), "1795248000.5 opened", 1_795_248_000_000),
        Case(.strptime("%a, %d %B %Y %I:%M %p"), "Saturday, 21 November 2026 9:00 AM", 1_795_248_000_000),
        Case(.strptime("%I:%M %p %d.%m.%y"), "12:30 am 21.11.26", 1_795_217_400_000),
        Case(.strptime("%Y/%j %R"), "2026/325 09:00", 1_795_248_000_000),
        Case(.strptime("%c"), "Sat Nov 21 09:00:00 2026", 1_795_248_000_000),
        Case(.strptime("%d/%m/%Y %H:%M 100%%"), "21/11/2026 09:00 100%", 1_795_248_000_000),
        // 02:30 came twice: the earlier counts. 02:30 never came: it counts as if the clocks had not gone forward.
        Case(.strptime("%F %R"), "2026-10-25 02:30", 1_792_888_200_000),
        Case(.strptime("%F %R"), "2026-03-29 02:30", 1_774_747_800_000),
        Case(.strptime("%F"), "2026-11-21", nil),
        Case(.strptime("%H:%M"), "09:00", nil),
        Case(.strptime("%Q"), "%Q", nil),
        Case(.strptime(""), "2026", nil),
    ]

    @Test func `a text is a time as a whole or not at all`() {
        let time = UsageTime(.rfc3339)
        func read(_ text: String) -> Int64? {
            time.whole(Array(text.utf8)[...], zone: .utc, reference: Self.reference)?.milliseconds
        }
        #expect(read("2026-11-21T08:00:00Z") == 1_795_248_000_000)
        #expect(read("2026-11-21T08:00:00Z ") == nil)
        #expect(read(" 2026-11-21T08:00:00Z") == nil)
        #expect(read("") == nil)
    }

    @Test func `random bytes give no time and no trap`() {
        var random = SeededGenerator(seed: 7)
        let formats: [UsageSource.TimeFormat] = [
            .common, .rfc3339, .strptime("%b %e %H:%M:%S"), .strptime("%s"), .strptime(" %z%p%Z"),
        ]
        for _ in 0..<2_000 {
            let line = random.bytes(upTo: 200, among: Array("0123456789-+:./[]TZ JanNov\r\0".utf8))
            for format in formats {
                _ = UsageTime(format).first(in: line[...], zone: Self.berlin, reference: Self.reference)
            }
        }
    }

    @Test func `what is written is read back, whenever it was`() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<2_000 {
            let seconds = Int64(random.next() % 4_000_000_000)
            let local = LocalTime(secondsSinceEpoch: seconds)
            func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            let clock = "\(padded(local.hour)):\(padded(local.minute)):\(padded(local.second))"
            let month = TimeReader.months[local.month - 1].prefix(3)
            let common = "x [\(padded(local.day))/\(month)/\(local.year):\(clock) +0000] y"
            let rfc3339 = "\(local.year)-\(padded(local.month))-\(padded(local.day))T\(clock)Z"
            for (format, line) in [(UsageSource.TimeFormat.common, common), (.rfc3339, rfc3339)] {
                let time = UsageTime(format).first(
                    in: Array(line.utf8)[...], zone: Self.berlin, reference: Self.reference)
                #expect(time == WallTime(seconds: seconds), "\(line)")
            }
        }
    }
}
