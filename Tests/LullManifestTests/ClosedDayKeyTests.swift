import LullCalendar
import LullModel
import Testing

@testable import LullManifest

/// `except`, `only`, `from` and `until` in the manifest, and the calendar files that they name.
struct ClosedDayKeyTests {
    static let holidays = """
        BEGIN:VCALENDAR
        BEGIN:VEVENT
        DTSTART;VALUE=DATE:20261225
        SUMMARY:Christmas Day
        END:VEVENT
        BEGIN:VEVENT
        DTSTART;VALUE=DATE:20270101
        RRULE:FREQ=YEARLY
        SUMMARY:New Year's Day
        END:VEVENT
        END:VCALENDAR

        """

    private func read(
        _ keys: String, defaults: String = "", texts: [String: String] = ["holidays.ics": holidays]
    ) -> ManifestResult {
        var machine = machine
        let main =
            "version: 1\n" + (defaults.isEmpty ? "" : "defaults: { \(defaults) }\n")
            + "apps:\n  com.example.A:\n    plugin: ColorFeed\n    usage: manual\n    tasks:\n      r:\n        kind: processing\n"
            + keys.split(separator: "\n").map { "        \($0)\n" }.joined()
        machine.texts["/home/me/jobs.yaml"] = main
        for (name, text) in texts { machine.texts["/home/me/" + name] = text }
        for path in machine.texts.keys { machine.entries[path] = FileEntry(.file, realPath: path) }
        return ManifestReader(pluginPath: ["/usr/lib/lull"], fileSystem: machine, zoneFolder: "/zones")
            .read(path: "jobs.yaml")
    }

    private func says(_ result: ManifestResult) -> String {
        result.diagnostics.map { $0.rendered() }.joined(separator: "\n")
    }

    private func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        LocalTime.days(year: year, month: month, day: day)
    }

    private func open(_ keys: String, defaults: String = "") throws -> OpenDays {
        let result = read(keys, defaults: defaults)
        #expect(says(result) == "")
        return try #require(result.manifest?.tasks.first?.days)
    }

    private func closed(_ days: OpenDays, in range: Range<Int>) -> [String] {
        range.filter { !days.isOpen($0) }.map { String(Phrase.date(ofDay: $0).dropFirst(5)) }
    }

    @Test func `each form of a day is read`() throws {
        let december = day(2026, 12, 1)..<day(2027, 1, 1)
        for (text, expected) in [
            ("2026-12-24", ["12-24"]), ("2026-12-30..2027-01-02", ["12-30", "12-31"]),
            ("12-24", ["12-24"]), ("12-30..01-02", ["12-30", "12-31"]),
            ("Tue", ["12-01", "12-08", "12-15", "12-22", "12-29"]),
            ("\"Sat,Sun\"", ["12-05", "12-06", "12-12", "12-13", "12-19", "12-20", "12-26", "12-27"]),
            ("Sun-Mon", ["12-06", "12-07", "12-13", "12-14", "12-20", "12-21", "12-27", "12-28"]),
            ("every 2w from 2026-11-23", ["12-07", "12-21"]),
            ("every 10d from 2026-12-03", ["12-03", "12-13", "12-23"]),
            ("calendar:holidays.ics", ["12-25"]), ("\"calendar: holidays.ics\"", ["12-25"]),
        ] {
            #expect(closed(try open("except: [\(text)]"), in: december) == expected, "\(text)")
        }
        let leap = try open("except: [02-20..03-02]")
        #expect(closed(leap, in: day(2028, 2, 1)..<day(2028, 4, 1)).count == 12)
        #expect(closed(leap, in: day(2027, 2, 1)..<day(2027, 4, 1)).count == 11)
        #expect(closed(try open("except: [02-29]"), in: day(2026, 1, 1)..<day(2029, 1, 1)) == ["02-29"])
    }

    @Test func `only, from and until leave what they name`() throws {
        let days = try open(
            "only: [12-24..12-26]\nexcept: [\"calendar:holidays.ics\"]\nfrom: 2026-12-01\nuntil: 2027-12-24")
        let range = day(2026, 1, 1)..<day(2028, 12, 31)
        #expect(
            range.filter(days.isOpen).map(Phrase.date(ofDay:)) == ["2026-12-24", "2026-12-26", "2027-12-24"])
        #expect(
            days.closure(of: day(2026, 12, 25))
                == .excepted(day: day(2026, 12, 25), name: "Christmas Day", file: "holidays.ics"))
    }

    @Test func `the manual's example is valid, and its error is Lull's`() throws {
        let blocks = try ManualTests.blocks("calendars.md")
        let example = try #require(blocks.first { $0.language == "yaml" }).text
        var machine = machine
        machine.entries["/usr/lib/lull/libCommand.so"] = FileEntry(
            .file, realPath: "/usr/lib/lull/libCommand.so")
        machine.texts["/home/me/holidays.ics"] = Self.holidays
        #expect(says(LullManifestTests.read(Array(example.utf8), on: machine)) == "")
        let rule = "RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"
        let bad = Self.holidays.replacing("RRULE:FREQ=YEARLY", with: rule)
        let result = read("except: [\"calendar:holidays.ics\"]", texts: ["holidays.ics": bad])
        #expect(says(result) + "\n" == blocks.first { $0.language == "text" }?.text)
    }

    @Test func `they are inherited like other keys, and an empty list takes them back`() throws {
        let both = "except: [\"calendar:holidays.ics\"], until: 2027-03-31"
        #expect(try open("", defaults: both).except.texts == ["calendar:holidays.ics"])
        let own = try open("except: [12-24]", defaults: both)
        #expect(own.except.texts == ["12-24"])
        #expect(own.until == day(2027, 3, 31))
        #expect(try open("except: []", defaults: both).except.isEmpty)
        #expect(read("except: []\nonly: []").manifest?.tasks.first?.days == nil)
        #expect(read("repeat: 1d").manifest?.tasks.first?.days == nil)
    }

    @Test(arguments: [
        ("except: [24.12.2026]", "9:18: error: the day '24.12.2026' is not a day"),
        (
            "except: [2026-02-30]",
            "9:18: error: the day '2026-02-30' is no day from 1900-01-01 to 2199-12-31"
        ),
        ("until: 9999-12-31", "9:16: error: the day '9999-12-31' is no day from 1900-01-01 to 2199-12-31"),
        (
            "except: [2027-01-02..2026-12-24]",
            "9:18: error: the day '2027-01-02..2026-12-24' ends before it begins"
        ),
        ("except: [2026-12-24..12-26]", "9:18: error: the day '2026-12-24..12-26' is not a day"),
        ("only: [Saturday]", "9:16: error: the day 'Saturday' has 'Saturday', which is not a day"),
        ("only: [every 2w]", "9:16: error: the day 'every 2w' does not say how often and from which day on"),
        (
            "only: [every 36h from 2026-12-07]",
            "9:16: error: the day 'every 36h from 2026-12-07' is not a number of days or weeks"
        ),
        ("only: 2026-12-24", "9:15: error: `only` takes a list, not '2026-12-24'"),
        ("from: [2026-12-24]", "9:15: error: `from` takes text, not a list"),
        ("until: 12-24", "9:16: error: the day '12-24' is not a day"),
        (
            "from: 2026-12-02\nuntil: 2026-12-01",
            "10:9: error: the first day, 2026-12-02, is after the last, 2026-12-01"
        ),
        (
            "at: Mon 08:30\nonly: [Tue]",
            "10:9: warning: no time of `at` comes on a day that `only`, `except`, `from` and `until` leave open"
        ),
        (
            "repeat: 1d\nexcept: [Mon-Sun]",
            "10:9: warning: `only`, `except`, `from` and `until` leave no day open: Lull never launches this task by itself"
        ),
        (
            "repeat: 1d\nonly: [2026-12-24]\nexcept: [12-24]",
            "11:9: warning: `only`, `except`, `from` and `until` leave no day open: Lull never launches this task by itself"
        ),
        ("except: [\"calendar:absent.ics\"]", "9:18: error: there is no calendar file 'absent.ics'"),
        ("except: [\"calendar:\"]", "9:18: error: there is no calendar file ''"),
    ])
    func `a slip is an error at its place`(keys: String, expected: String) {
        #expect(
            read(keys).diagnostics.map { "\($0.line):\($0.column): \($0.severity.rawValue): \($0.message)" }
                == [expected])
    }

    @Test func `a calendar without days leaves none to only, and days far away are open`() {
        let cancelled = Self.holidays.replacing("SUMMARY", with: "STATUS:CANCELLED\nSUMMARY")
        let closed = read(
            "repeat: 1d\nonly: [\"calendar:holidays.ics\"]", texts: ["holidays.ics": cancelled])
        #expect(closed.diagnostics.map(\.problem) == [.rhythm(.noOpenDay)])
        for keys in [
            "only: [2026-12-24]", "only: [02-29]", "except: [2000-01-01..2040-12-31]", "from: 2180-01-01",
            "only: [every 2w from 2026-12-07]\nexcept: [\"calendar:holidays.ics\"]",
        ] {
            #expect(says(read("repeat: 1d\n" + keys)) == "", "\(keys)")
        }
    }

    @Test func `an error in a calendar has that file, its line and a caret`() {
        let bad = Self.holidays.replacing("RRULE:FREQ=YEARLY", with: "RRULE:FREQ=YEARLY;BYEASTER=0")
        let result = read("except: [\"calendar:days/h.ics\"]", texts: ["days/h.ics": bad])
        #expect(
            says(result) == """
                days/h.ics:8:7: error: the rule has 'BYEASTER=0', which Lull does not read
                    8 | RRULE:FREQ=YEARLY;BYEASTER=0
                      |       ^~~~~~~~~~~~~~~~~~~~~~
                help: write the days as events of their own; rules may have FREQ (DAILY, WEEKLY, MONTHLY or YEARLY), INTERVAL and COUNT (at most 1000), UNTIL, BYMONTH, BYMONTHDAY and BYDAY
                """)
        #expect(result.manifest == nil)
        #expect(result.diagnostics.allSatisfy { !$0.problem.mayPass })
        #expect(read("except: [\"calendar:absent.ics\"]").diagnostics.allSatisfy { $0.problem.mayPass })
    }

    @Test func `a calendar is a file of the manifest, read once, and counts for its hash`() throws {
        let text = "except: [\"calendar:holidays.ics\"]\nonly: [\"calendar:holidays.ics\", Sat]"
        let one = try #require(read(text).manifest)
        #expect(one.files == ["jobs.yaml", "holidays.ics"])
        let other = try #require(read(text, texts: ["holidays.ics": Self.holidays + "\n"]).manifest)
        #expect(one.hash != other.hash)
        // Also the file that is missing, so that it is read when it appears.
        #expect(read(text, texts: [:]).draft?.files == ["jobs.yaml", "holidays.ics"])
    }

    @Test func `a calendar that others can write is refused`() {
        var machine = machine
        machine.texts["/home/me/h.ics"] = Self.holidays
        struct Open: FileSystem {
            var base: FixedFileSystem
            var currentFolder: String { base.currentFolder }
            func entry(at path: String) -> FileEntry? { base.entry(at: path) }
            func target(ofLink path: String) -> String? { nil }
            func names(in folder: String) -> [String] { base.names(in: folder) }
            func bytes(of path: String) throws(FileProblem) -> [UInt8] {
                throw .notSafe(path: path, .everybody)
            }
        }
        let text =
            "version: 1\napps:\n  com.example.A: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh, except: [\"calendar:h.ics\"] } } }\n"
        let result = ManifestReader(
            pluginPath: ["/usr/lib/lull"], fileSystem: Open(base: machine), zoneFolder: "/zones"
        ).read(text: Array(text.utf8), path: "jobs.yaml")
        #expect(
            result.diagnostics.map(\.message) == [
                "the calendar 'h.ics' can't be used: every user of this machine can write this file, and so decide what is run"
            ])
        #expect(result.diagnostics.map(\.fix) == ["run `chmod o-w h.ics`"])
    }

    @Test func `calendars that are too large together are refused at the last of them`() {
        let rest = Limits.calendarBytes - Self.holidays.utf8.count - 8
        let large = Self.holidays.replacing(
            "BEGIN:VCALENDAR\n", with: "BEGIN:VCALENDAR\nX-REST:\(String(repeating: "a", count: rest))\n")
        let files = (0...Limits.manifestBytes / Limits.calendarBytes).map { "\($0).ics" }
        let names = files.map { "\"calendar:\($0)\"" }.joined(separator: ", ")
        let found = read(
            "except: [\(names)]", texts: Dictionary(uniqueKeysWithValues: files.map { ($0, large) })
        ).diagnostics
        #expect(found.map(\.message) == ["with this one, the calendars have more than 16 MiB together"])
        #expect(found.map(\.fix) == ["take past years out of it, or name a smaller file"])
    }

    private func changes(_ old: [String], _ new: [String]) throws -> [String] {
        let manifests = try [old, new].map { lines in
            let event = (["BEGIN:VCALENDAR", "BEGIN:VEVENT"] + lines + ["END:VEVENT", "END:VCALENDAR"])
                .joined(
                    separator: "\n")
            return try #require(
                read("except: [\"calendar:h.ics\"]", texts: ["h.ics": event]).manifest)
        }
        return ManifestDiff(from: manifests[0], to: manifests[1]).apps.flatMap(\.tasks).flatMap(\.keys).map {
            "\($0.name): \($0.before ?? "-") -> \($0.after ?? "-")"
        }
    }

    @Test func `a diff has all rules of one name, and the year in which days end`() throws {
        let weekend = ["DTSTART:20261205", "RRULE:FREQ=WEEKLY;BYDAY=SA,SU", "SUMMARY:Weekend"]
        let saturdays = ["DTSTART:20261205", "RRULE:FREQ=WEEKLY;BYDAY=SA", "SUMMARY:Weekend"]
        #expect(try changes(weekend, weekend) == [])
        #expect(
            try changes(weekend, saturdays) == [
                "except.h.ics Weekend: every 7d from 2026-12-05; every 7d from 2026-12-06 -> every 7d from 2026-12-05"
            ])
        let closed = ["DTSTART:20261230", "DTEND:20270103"]
        #expect(
            try changes(closed, ["DTSTART:20261230", "DTEND:20280103"]) == [
                "except.h.ics 2026: 12-30..2027-01-02 -> 12-30..2028-01-02"
            ])
    }

    @Test func `a diff shows the lists, and the year of a file that changed`() throws {
        let keys = "except: [12-24, \"calendar:holidays.ics\"]\nfrom: 2026-01-01"
        let old = try #require(read(keys).manifest)
        let moved = Self.holidays.replacing("20261225", with: "20261226").replacing(
            "RRULE:FREQ=YEARLY", with: "RRULE:FREQ=YEARLY;INTERVAL=2")
        let new = try #require(read(keys, texts: ["holidays.ics": moved]).manifest)
        let diff = ManifestDiff(from: old, to: new)
        #expect(
            diff.apps.flatMap(\.tasks).flatMap(\.keys).map {
                "\($0.name): \($0.before ?? "-") -> \($0.after ?? "-")"
            } == [
                "except.holidays.ics 2026: 12-25 -> 12-26",
                "except.holidays.ics New Year's Day: every 1 years, month 1, day 1 from 2027-01-01 -> every 2 years, month 1, day 1 from 2027-01-01",
            ])
        let none = try #require(read("repeat: 1d").manifest)
        #expect(
            ManifestDiff(from: none, to: old).apps.flatMap(\.tasks).flatMap(\.keys).map(\.name) == [
                "repeat", "except", "except.holidays.ics 2026", "except.holidays.ics New Year's Day", "from",
            ])
        #expect(
            ManifestDiff.summary(of: try #require(old.tasks.first))
                == "processing, except 12-24; calendar:holidays.ics, from 2026-01-01")
    }
}
