import LullModel
import Testing

@testable import LullManifest

/// Combinations of `at`, `repeat`, `windows` and `expect` that hold, and those that can't.
struct RhythmProblemTests {
    @Test(arguments: cases)
    func `each is warned of with its place and its remedy`(_ item: Case) { item.check() }

    @Test(arguments: silent)
    func `what may be met is passed over in silence`(_ task: String) {
        Case(task, task: "kind: processing\n" + task).check()
    }

    static let cases: [Case] = [
        Case(
            "times outside the windows, skipped",
            task: """
                kind: processing
                at: "0 5 * * *"
                missed: skip
                windows: ["01:00-05:00"]
                """,
            says: """
                jobs.yaml:9:9: warning: no time of `at` is in the windows, 01:00-05:00, and `missed: skip` drops missed times: `at` never launches this task
                    9 |         at: "0 5 * * *"
                      |         ^~
                help: write times in the windows, or wider windows; `windows: []` means always
                """),
        Case(
            "times outside the windows, made up for",
            task: """
                kind: processing
                at: ["0 5 * * *", daily 12:00]
                windows: ["22:00-05:00"]
                """,
            says: """
                jobs.yaml:9:9: warning: no time of `at` is in the windows, 22:00-05:00: what is due at Mon 05:00 is launched no earlier than Mon 22:00
                    9 |         at: ["0 5 * * *", daily 12:00]
                      |         ^~
                help: write times in the windows, or wider windows; `windows: []` means always
                """),
        Case(
            "a weekly time on another day than its window",
            task: """
                kind: processing
                at: "30 1 * * Sun"
                missed: all
                windows: ["Mon,Sat 01:00-02:00"]
                """,
            says: """
                jobs.yaml:9:9: warning: no time of `at` is in the windows, Mon,Sat 01:00-02:00: what is due at Sun 01:30 is launched no earlier than Mon 01:00
                    9 |         at: "30 1 * * Sun"
                      |         ^~
                help: write times in the windows, or wider windows; `windows: []` means always
                """),
        Case(
            "a weekly time, and a daily success",
            task: """
                kind: processing
                at: "0 5 * * Mon"
                expect: { at_least: 1/24h }
                """,
            says: """
                jobs.yaml:10:9: warning: at least 1 in 1d is expected, but `at` launches this task not once between Mon 05:00 and Mon 05:00, 7d apart
                   10 |         expect: { at_least: 1/24h }
                      |         ^~~~~~
                help: write more times, or expect less, such as `at_least: 1/14d`
                """),
        Case(
            "a weekend between two times",
            task: """
                kind: processing
                at: "0 5 * * 1-5"
                expect: { at_least: 2/3d }
                """,
            says: """
                jobs.yaml:10:9: warning: at least 2 in 3d is expected, but `at` launches this task once between Fri 05:00 and Tue 05:00, 4d apart
                   10 |         expect: { at_least: 2/3d }
                      |         ^~~~~~
                help: write more times, or expect less, such as `at_least: 2/8d`
                """),
        Case(
            "a month between two times",
            task: """
                kind: processing
                at: "0 5 1 * *"
                timezone: UTC
                expect: { at_least: 1/30d }
                """,
            says: """
                jobs.yaml:11:9: warning: at least 1 in 30d is expected, but `at` launches this task not once between 1 Jan 05:00 and 1 Feb 05:00, 31d apart
                   11 |         expect: { at_least: 1/30d }
                      |         ^~~~~~
                help: write more times, or expect less, such as `at_least: 1/62d`
                """),
        Case(
            "times that are given up outside the windows",
            task: """
                kind: processing
                at: "*/10 * * * *"
                missed: skip
                windows: ["Mon-Fri 08:00-18:00"]
                expect: { at_least: 1/62h }
                """,
            says: """
                jobs.yaml:12:9: warning: at least 1 in 62h is expected, but `at` launches this task not once between Fri 17:50 and Mon 08:00, 62h 10m apart
                   12 |         expect: { at_least: 1/62h }
                      |         ^~~~~~
                help: write more times, or expect less, such as `at_least: 1/125h`
                """),
        Case(
            "times that wait for the only window",
            task: """
                kind: processing
                at: "*/30 * * * *"
                windows: ["12:00-13:00"]
                expect: { at_least: 1/12h }
                """,
            says: """
                jobs.yaml:11:9: warning: at least 1 in 12h is expected, but the windows are closed from Mon 13:00 to Tue 12:00, for 23h
                   11 |         expect: { at_least: 1/12h }
                      |         ^~~~~~
                help: write more windows, or expect less, such as `at_least: 1/46h`
                """),
        Case(
            "a weekly repetition, and a daily success",
            task: """
                kind: processing
                repeat: 7d
                expect: { at_least: 1/24h }
                """,
            says: """
                jobs.yaml:10:9: warning: at least 1 in 1d is expected, but `repeat` leaves 7d or more between two runs
                   10 |         expect: { at_least: 1/24h }
                      |         ^~~~~~
                help: write a shorter `repeat`, or expect less, such as `at_least: 1/14d`
                """),
        Case(
            "a daily repetition, and no room",
            task: """
                kind: refresh
                repeat: 1h
                min_gap: 2h
                expect: { at_least: 12/1d }
                """,
            says: """
                jobs.yaml:9:17: warning: this task repeats every 1h, but refreshes of an app are at least 2h apart
                    9 |         repeat: 1h
                      |                 ^~
                help: add `min_gap: 1h`, or write a longer `repeat`
                jobs.yaml:11:9: warning: at least 12 in 1d is expected, but `min_gap` leaves 2h or more between two runs
                   11 |         expect: { at_least: 12/1d }
                      |         ^~~~~~
                help: write a shorter `min_gap`, or expect less, such as `at_least: 12/2d`
                """),
        Case(
            "a weekly window, and a daily success",
            task: """
                kind: processing
                repeat: 1h
                windows: ["Sat 01:00-02:00"]
                expect: { at_least: 1/24h }
                """,
            says: """
                jobs.yaml:11:9: warning: at least 1 in 1d is expected, but the windows are closed from Sat 02:00 to Sat 01:00, for 167h
                   11 |         expect: { at_least: 1/24h }
                      |         ^~~~~~
                help: write more windows, or expect less, such as `at_least: 1/334h`
                """),
        Case(
            "a weekly window that has room for one run",
            task: """
                kind: processing
                repeat: 1d
                windows: ["Sat 22:00-06:00"]
                expect: { at_least: 2/8d }
                """,
            says: """
                jobs.yaml:11:9: warning: at least 2 in 8d is expected, but with `repeat: 1d` the windows let this task run once a week at most
                   11 |         expect: { at_least: 2/8d }
                      |         ^~~~~~
                help: expect less of this task, or let it be launched more often
                """),
        Case(
            "a task that is disabled",
            task: """
                kind: processing
                repeat: 1d
                enabled: false
                expect: { at_least: 1/48h }
                """,
            says: """
                jobs.yaml:11:9: warning: `expect` has no effect on a task with `enabled: false`
                   11 |         expect: { at_least: 1/48h }
                      |         ^~~~~~
                help: take `expect` out, or `enabled: false`
                """),
    ]

    static let silent = [
        // In another year the first of the month is another day.
        "at: \"0 9 1,15 * *\"\nwindows: [\"Sat,Sun 08:00-10:00\"]\nexpect: { at_least: 1/18d }",
        "at: \"0 5 13 * Fri\"\nexpect: { at_least: 1/2d }",
        "at: \"0 5 * * *\"\nwindows: [\"05:00-05:01\"]",
        // A time that is late by less than the tolerance is not missed.
        "at: \"58 4 * * *\"\nmissed: skip\nwindows: [\"05:00-06:00\"]",
        "at: \"30 4 * * *\"\nmissed: skip\ntolerance: 30m\nwindows: [\"05:00-06:00\"]",
        "at: \"0 4 * * *\"\nmissed: skip\nspread: 1h\nwindows: [\"05:00-06:00\"]",
        "at: \"0 * * * *\"\nmissed: skip\nwindows: [\"05:00-06:00\"]",
        "at: \"0 1 * * *\"\nmissed: skip\nwindows: [\"Sat 22:00-06:00\"]",
        "at: \"0 1 * * Mon\"\nmissed: skip\nwindows: [\"Sun 22:00-06:00\"]",
        // The first of a month is a Saturday now and then.
        "at: \"0 5 1 * *\"\nmissed: skip\nwindows: [\"Sat 05:00-06:00\"]",
        "at: \"0 5 13 * Fri\"\nmissed: skip\nwindows: [\"Sat 05:00-06:00\"]",
        "at: \"@reboot\"\nmissed: skip\nwindows: [\"05:00-06:00\"]",
        "at: [\"@reboot\", \"0 7 * * *\"]\nwindows: [\"05:00-06:00\"]\nexpect: { at_least: 1/25h }",
        "at: \"0 5 * * *\"\nexpect: { at_least: 1/25h }",
        "at: \"0 5 * * Mon\"\nexpect: { at_least: 1/8d }",
        "at: \"0 5 * * 1-5\"\nexpect: { at_least: 1/73h }",
        "at: \"* * * * *\"\nexpect: { at_least: 24/25m }",
        "at: \"0 5 1 1,7 *\"\ntimezone: Europe/Berlin\nexpect: { at_least: 1/4415h }",
        "repeat: 7d\nexpect: { at_least: 1/8d }",
        "repeat: 1h\nexpect: { at_least: 24/25h }",
        "repeat: 1h\nwindows: [\"Sat 01:00-02:00\"]\nexpect: { at_least: 1/169h }",
        "repeat: 1d\nwindows: [\"Sat 22:00-06:00\"]\nexpect: { at_least: 1/8d }",
        "repeat: 1h\nwindows: [\"22:00-04:00\", \"04:00-22:00\"]\nexpect: { at_least: 1/90m }",
        // The requests that its plugin submits are not known.
        "expect: { at_least: 1/24h }",
        "repeat: 1d\nenabled: false",
    ]

    @Test func `of the plugin Command it is known that it asks for nothing`() {
        let machine = FixedFileSystem(
            currentFolder: "/home/me",
            entries: [
                "/usr/lib/lull": FileEntry(.folder, realPath: "/usr/lib/lull"),
                "/usr/lib/lull/libCommand.so": FileEntry(.file, realPath: "/usr/lib/lull/libCommand.so"),
            ])
        let text = """
            version: 1
            apps:
              com.example.A:
                plugin: Command
                idle_after: never
                tasks: { t: { kind: processing, expect: { at_least: 1/2d }, settings: { run: "true" } } }

            """
        let said = read(Array(text.utf8), on: machine).diagnostics.map(\.message)
        #expect(
            said == [
                "this task has neither `repeat` nor `at`, and the plugin Command submits nothing itself: only "
                    + "`lull submit` and `lull launch` can meet `expect`"
            ])
    }

    @Test func `what is wrong in a list says nothing of what is right in it`() {
        let text = """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: manual
                tasks:
                  a: { kind: processing, at: "0 5 * * *", missed: skip, windows: ["01:00-02:00", "4-6"] }
                  b: { kind: processing, at: ["0 5 * * *", "x"], missed: skip, windows: ["01:00-02:00"] }
                  c: { kind: processing, at: ["0 5 * * Mon", "x"], expect: { at_least: 1/1d } }

            """
        #expect(read(Array(text.utf8)).diagnostics.allSatisfy { $0.severity == .error })
    }
}
