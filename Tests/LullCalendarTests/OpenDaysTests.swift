import LullModel
import Testing

@testable import LullCalendar

/// The days on which a task may be launched, against plain models that look at each day and each minute.
struct OpenDaysTests {
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        LocalTime.days(year: year, month: month, day: day)
    }

    /// Its clocks change at midnight, and it once had no 30 December.
    private static let odd = Zone(
        name: "Odd", initialOffset: -36000,
        transitions: [
            .init(at: CalendarTimeTests.utc(2026, 3, 8, 10), offset: -32400),
            .init(at: CalendarTimeTests.utc(2026, 11, 1, 9), offset: -36000),
            .init(at: CalendarTimeTests.utc(2026, 12, 30, 10), offset: 50400),
        ])
    private static let zones = [
        Zone.utc, CalendarTimeTests.berlin, CalendarTimeTests.newYork, CalendarTimeTests.lordHowe, odd,
    ]

    /// Days of 2026, with rules of each kind.
    private static func some(using random: inout SeededGenerator) -> DayList {
        let first = day(2026, 1, 1)
        let once = (0..<Int.random(in: 0...12, using: &random)).map { _ in
            let start = first + Int.random(in: 0..<365, using: &random)
            return DaySpan(start, through: start + Int.random(in: 0...9, using: &random))
        }
        let again = (0..<Int.random(in: 0...2, using: &random)).map { _ in
            let start = first + Int.random(in: -400..<100, using: &random)
            let span = DaySpan(start, through: start + Int.random(in: 0...2, using: &random))
            let month = DaysOfMonth(
                months: [[], [3], [10, 12]].randomElement(using: &random) ?? [],
                days: [[], [1, -1], [25, 26, 29]].randomElement(using: &random) ?? [],
                weekdays: [[.init(0, ordinal: 1)], [.init(6, ordinal: -1), .init(4)]]
                    .randomElement(using: &random) ?? [])
            let rules: [DayRule] = [
                .days(Int.random(in: 2...20, using: &random)), .months(2, month), .years(1, month),
            ]
            return RepeatedDays(
                span, rules.randomElement(using: &random) ?? .days(7),
                until: Bool.random(using: &random) ? first + 200 : nil,
                without: [start, first + 40, first + 41])
        }
        return DayList(texts: ["some"], once: once, again: again)
    }

    private static func days(using random: inout SeededGenerator) -> OpenDays? {
        OpenDays(
            only: Int.random(in: 0..<3, using: &random) == 0 ? some(using: &random) : nil,
            except: some(using: &random),
            from: Bool.random(using: &random) ? nil : day(2026, 2, 20),
            until: Bool.random(using: &random) ? nil : day(2026, 12, 5))
    }

    @Test func `nothing said is no rule at all`() {
        #expect(OpenDays() == nil)
        #expect(OpenDays(until: 9)?.isOver(on: 9) == false && OpenDays(until: 9)?.isOver(on: 10) == true)
        #expect(OpenDays(from: 9)?.isOver(on: 10) == false)
        let once = DayList(texts: [], once: [DaySpan(3, through: 4), DaySpan(7, through: 9)])
        #expect(OpenDays(only: once)?.isOver(on: 9) == false && OpenDays(only: once)?.isOver(on: 10) == true)
        let again = DayList(texts: [], once: [], again: [RepeatedDays(DaySpan(3, through: 3), .days(7))])
        #expect(OpenDays(only: again)?.isOver(on: 10) == false)
        #expect(OpenDays(except: once)?.isOver(on: 10) == false)
        #expect(OpenDays(from: 3) != nil)
    }

    @Test func `a closed day says why, and except outweighs only`() throws {
        let christmas = Self.day(2026, 12, 25)
        let holidays = DayList(
            texts: ["calendar:h.ics"],
            once: [DaySpan(christmas, through: christmas, name: "Christmas Day", file: "h.ics")])
        let both = DayList(
            texts: ["2026-12-24..2026-12-25"], once: [DaySpan(christmas - 1, through: christmas)])
        let days = try #require(
            OpenDays(only: both, except: holidays, from: christmas - 10, until: christmas + 10))
        #expect(days.closure(of: christmas - 11) == .before(first: christmas - 10))
        #expect(days.closure(of: christmas - 2) == .notListed(day: christmas - 2))
        #expect(days.closure(of: christmas - 1) == nil)
        #expect(
            days.closure(of: christmas) == .excepted(day: christmas, name: "Christmas Day", file: "h.ics"))
        #expect(days.closure(of: christmas + 11) == .after(last: christmas + 10))
        #expect(days.nextOpen(from: 0) == christmas - 1)
        #expect(days.nextOpen(from: christmas - 400) == christmas - 1)
        #expect(days.nextOpen(from: christmas) == nil)
    }

    @Test func `days that overlap keep the first name`() {
        let list = DayList(
            texts: [],
            once: [
                DaySpan(10, through: 14, name: "b"), DaySpan(8, through: 11, name: "a"),
                DaySpan(9, through: 9),
            ])
        #expect((7...15).map { list[$0]?.name } == [nil, "a", "a", "a", "a", "b", "b", "b", nil])
    }

    @Test(arguments: 0..<200) func `the next day is the one that a walk finds`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        guard let days = Self.days(using: &random) else { return }
        let first = Self.day(2026, 1, 1)
        for start in stride(from: first - 20, to: first + 360, by: 7) {
            let found = days.nextOpen(from: start)
            let walked = (start..<start + 500).first { days.isOpen($0) }
            #expect(found == walked || walked == nil && found.map { $0 >= start + 500 } ?? true, "\(seed)")
        }
        let list = days.except
        for start in stride(from: first, to: first + 360, by: 11) {
            let walked = (start..<start + 90).first { list[$0] != nil }
            #expect(list.next(from: start, before: start + 90) == walked, "\(seed)")
        }
    }

    @Test(arguments: 0..<150) func `its times are those of at on open days`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let zone = try #require(Self.zones.randomElement(using: &random))
        let lines = [
            "30 2 * * *", "*/40 * * * *", "0 0,12 * * Mon-Fri", "15 23 1-7 * *", "hourly :30", "0 1 * * *",
        ]
        var task = TaskDefinition(
            identifier: try #require(TaskIdentifier("com.example.Feed.clean")),
            app: try #require(AppIdentifier("com.example.Feed")), kind: .processing)
        task.at = try ExactTimes(try #require(lines.randomElement(using: &random)))
        task.days = Self.days(using: &random)
        let table = try #require(Timetable(task, zones: Zones(host: zone), host: "h"))
        let times = try #require(task.at)
        var (all, time) = ([WallTime](), CalendarTimeTests.utc(2026, 1, 1))
        let end = CalendarTimeTests.utc(2027, 1, 10)
        while let next = times.next(after: time, in: zone), next < end {
            time = next
            if task.days?.isOpen(zone.day(of: next)) ?? true { all.append(next) }
        }
        var (found, cursor) = ([WallTime](), CalendarTimeTests.utc(2026, 1, 1))
        while let next = table.next(after: cursor), next < end {
            found.append(next)
            cursor = next
        }
        #expect(found == all, "\(seed), \(zone.name), \(times.texts)")
        let (from, to) = (CalendarTimeTests.utc(2026, 3, 1), CalendarTimeTests.utc(2026, 3, 20))
        #expect(
            table.count(after: from, through: to)
                == min(Limits.countedTimes, all.count { $0 > from && $0 <= to }), "\(seed)")
    }

    /// A window belongs to the day on which it opens, whatever midnight it passes.
    @Test(arguments: 0..<60) func `windows are open as a look at each minute finds`(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let zone = try #require(Self.zones.randomElement(using: &random))
        let days = Self.days(using: &random)
        let windows: [[Window]] = [
            [], [Window(opens: 60, closes: 300, text: "a")], [Window(opens: 1320, closes: 420, text: "b")],
            [
                Window(days: [5], opens: 0, closes: 1440, text: "c"),
                Window(days: [0, 3], opens: 1380, closes: 60, text: "d"),
            ],
        ]
        let own = try #require(windows.randomElement(using: &random))
        let calendar = WindowCalendar(windows: own, zone: zone, days: days)
        func isOpen(_ time: WallTime) -> Bool {
            let second = time.seconds + Int64(zone.offset(at: time))
            let today = zone.day(of: time)
            guard !own.isEmpty else { return days?.isOpen(today) ?? true }
            return [today - 1, today].contains { day in
                days?.isOpen(day) ?? true
                    && own.contains { window in
                        let length = window.closes - window.opens + (window.closes > window.opens ? 0 : 1440)
                        let begin = Int64(day) * 86400 + Int64(window.opens) * 60
                        return (window.days.isEmpty || window.days.contains(LocalTime(day: day).weekday))
                            && (begin..<begin + Int64(length) * 60).contains(second)
                    }
            }
        }
        for _ in 0..<8 {
            let start =
                CalendarTimeTests.utc(2026, 1, 1) + .minutes(15 * Int.random(in: 0..<35_040, using: &random))
            #expect(calendar.isOpen(at: start) == isOpen(start), "\(seed) \(zone.name) \(start)")
            let walked = (0..<96 * 20).lazy.map { start + .minutes(15 * $0) }.first(where: isOpen)
            let found = calendar.opening(from: start)
            #expect(
                found == walked || walked == nil && found.map { $0 >= start + .days(20) } ?? true,
                "\(seed) \(zone.name) \(start)")
            if !isOpen(start), let closure = calendar.closure(at: start) {
                #expect(days?.closure(of: zone.day(of: start)) == closure || !own.isEmpty)
            }
            if isOpen(start), let closing = calendar.closing(after: start) {
                #expect(!isOpen(closing), "\(seed) \(zone.name) \(start)")
                #expect(isOpen(closing - .minutes(1)), "\(seed) \(zone.name) \(start)")
            }
        }
    }

    @Test func `an opening years away is found, and one that never comes is none`() throws {
        let far = Self.day(2033, 5, 4)
        let once = DayList(texts: [], once: [DaySpan(far, through: far)])
        let now = CalendarTimeTests.utc(2026, 11, 30, 12)
        let calendar = WindowCalendar(
            windows: [Window(opens: 600, closes: 660, text: "10:00-11:00")], zone: CalendarTimeTests.berlin,
            days: OpenDays(only: once))
        #expect(calendar.opening(from: now) == CalendarTimeTests.utc(2033, 5, 4, 9))
        let past = WindowCalendar(
            windows: [], zone: .utc, days: OpenDays(until: Self.day(2026, 11, 29)))
        #expect(past.opening(from: now) == nil)
        #expect(past.closure(at: now) == .after(last: Self.day(2026, 11, 29)))
    }

    @Test func `a time that never meets its days ends the search`() throws {
        let tuesdays = RepeatedDays(DaySpan(Self.day(2026, 12, 1), through: Self.day(2026, 12, 1)), .days(14))
        let days = try #require(OpenDays(only: DayList(texts: [], once: [], again: [tuesdays])))
        #expect(!days.holdsSome(of: try ExactTimes("Mon 08:30")))
        #expect(days.holdsSome(of: try ExactTimes("Tue 08:30")))
        #expect(days.holdsSome(of: try ExactTimes("0 4 29 2 *")) == false)
    }
}
