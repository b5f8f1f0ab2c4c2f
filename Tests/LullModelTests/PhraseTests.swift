import LullModel
import Testing

/// Times and quantities in words, as every module writes them.
struct PhraseTests {
    static let spans: [(Duration, exactly: String, about: String)] = [
        (.zero, "0 s", "0 ms"),
        (.hours(-3), "0 s", "0 ms"),
        (.milliseconds(250), "250 ms", "250 ms"),
        (.milliseconds(700), "700 ms", "0.7 s"),
        (.milliseconds(1840), "1 s", "1.8 s"),
        (.milliseconds(1500), "1.5 s", "1.5 s"),
        (.seconds(9), "9 s", "9 s"),
        (.milliseconds(9600), "9.6 s", "10 s"),
        (.milliseconds(9640), "9 s", "10 s"),
        (.seconds(30), "30 s", "30 s"),
        (.seconds(90), "1 min 30 s", "1 min"),
        (.milliseconds(3_599_600), "59 min 59 s", "1 h"),
        (.hours(2) + .minutes(5), "2 h 5 min", "2 h 5 min"),
        (.hours(2) + .seconds(5), "2 h", "2 h"),
        (.days(6) + .hours(23) + .minutes(59), "6 d 23 h", "6 d 23 h"),
        (.days(7) + .milliseconds(1), "7 d", "7 d"),
    ]
    @Test(arguments: spans)
    func `a span is said exactly in its two largest units, or so that it is read at a glance`(
        span: Duration, exactly: String, about: String
    ) {
        #expect(Phrase.span(span) == exactly)
        #expect(Phrase.about(span) == about)
    }

    /// Seen from Monday, 2026-11-23 at 12:00.
    static let instants: [(WallTime, moment: String, cell: String, when: String, time: String)] = [
        (.at(0, 8, 5), "08:05", "08:05", "at 08:05", "08:05 today (UTC)"),
        (.at(1, 8), "Tuesday 08:00", "tomorrow 08:00", "tomorrow at 08:00", "08:00 tomorrow (UTC)"),
        (.at(6, 4), "Sunday 04:00", "Sun 04:00", "on Sunday at 04:00", "04:00 on Sunday (UTC)"),
        (
            .at(7, 4), "2026-11-30 04:00", "30 Nov 04:00", "on 2026-11-30 at 04:00",
            "04:00 on 2026-11-30 (UTC)"
        ),
        (
            .at(-1, 4), "2026-11-22 04:00", "yesterday 04:00", "yesterday at 04:00",
            "04:00 yesterday (UTC)"
        ),
        (
            .at(-2, 4), "2026-11-21 04:00", "21 Nov 04:00", "on 2026-11-21 at 04:00",
            "04:00 on 2026-11-21 (UTC)"
        ),
        (
            .at(300, 4), "2027-09-19 04:00", "2027-09-19 04:00", "on 2027-09-19 at 04:00",
            "04:00 on 2027-09-19 (UTC)"
        ),
    ]
    @Test(arguments: instants)
    func `an instant is as long as it has to be`(
        instant: WallTime, moment: String, cell: String, when: String, time: String
    ) {
        let now = WallTime.at(0, 12)
        #expect(Phrase.moment(instant, seenFrom: now, in: .utc) == moment)
        #expect(Phrase.cell(instant, seenFrom: now, in: .utc) == cell)
        #expect(Phrase.when(instant, seenFrom: now, in: .utc) == when)
        #expect(Phrase.time(instant, seenFrom: now, in: .utc) == time)
    }

    @Test func `a distance says its direction`() {
        let now = WallTime.at(0, 12)
        #expect(Phrase.ago(now - .seconds(42), seenFrom: now) == "42 s ago")
        #expect(Phrase.ago(now + .hours(2), seenFrom: now) == "in 2 h")
        #expect(Phrase.ago(now - .milliseconds(999), seenFrom: now) == "just now")
    }

    @Test(arguments: [
        (0.7, "0.7"), (1.35, "1.35"), (-0.05, "-0.05"), (3, "3"), (0.001, "0.001"), (.infinity, "inf"),
    ])
    func `a number has two decimals at most`(number: Double, text: String) {
        #expect(Phrase.number(number) == text)
    }

    static let shares: [(Double, share: String, likelihood: String, percent: String)] = [
        (0, "0 %", "under 1 %", "0 %"), (0.0004, "0.04 %", "under 1 %", "under 0.1 %"),
        (0.034, "3 %", "3 %", "3.4 %"), (0.2, "20 %", "20 %", "20 %"),
        (0.425, "43 %", "43 %", "43 %"), (0.999, "100 %", "over 99 %", "over 99 %"),
        (1, "100 %", "over 99 %", "100 %"),
    ]
    @Test(arguments: shares)
    func `a share is one that was measured, one that was learned, or one that was drawn`(
        value: Double, share: String, likelihood: String, percent: String
    ) {
        #expect(Phrase.share(value) == share)
        #expect(Phrase.likelihood(value) == likelihood)
        #expect(Phrase.percent(value) == percent)
    }

    @Test func `sizes, counts and lists read well`() {
        #expect(Phrase.size(12) == "12 B")
        #expect(Phrase.size(1536) == "1.5 KiB")
        #expect(Phrase.size(14 << 20) == "14 MiB")
        #expect(Phrase.size(1 << 30) == "1 GiB")
        #expect(Phrase.hours(0.001) == "under 1 min")
        #expect(Phrase.hours(0.2) == "12 min")
        #expect(Phrase.hours(1.54) == "1.5 h")
        #expect(Phrase.count(1, "run") == "1 run" && Phrase.count(2, "run") == "2 runs")
        #expect(Phrase.count(2, "launch", "launches") == "2 launches")
        #expect(Phrase.times(1) == "1 time" && Phrase.times(1001) == "1001 times or more")
        #expect(Phrase.list([]).isEmpty && Phrase.list(["a"]) == "a")
        #expect(Phrase.list(["a", "b", "c"]) == "a, b and c")
    }
}

extension WallTime {
    /// On Monday, 2026-11-23, or so many days after it.
    fileprivate static func at(_ day: Int, _ hour: Int, _ minute: Int = 0) -> WallTime {
        WallTime(seconds: 1_795_392_000) + .days(day) + .hours(hour) + .minutes(minute)
    }
}
