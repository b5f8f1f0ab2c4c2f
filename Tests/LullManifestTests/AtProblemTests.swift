import LullModel
import Testing

@testable import LullManifest

/// The times of `at` and their faults: the caret stands under the faulty characters.
struct AtProblemTests {
    @Test func `times and how they are kept are read and inherited`() throws {
        let text = """
            version: 1
            defaults: { missed: skip, spread: 10m }
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: manual
                tolerance: 2h
                tasks:
                  one: { kind: processing, at: daily 02:30, timezone: Europe/Berlin }
                  two: { kind: refresh, at: ["*/5 * * * *", "@reboot"], missed: all, spread: 0s, tolerance: 1m }
                  three: { kind: processing, at: "@reboot" }
                  four: { kind: processing, repeat: 1d }
            """
        let result = read(Array(text.utf8))
        #expect(result.diagnostics.isEmpty)
        let tasks = try #require(result.manifest).tasks
        #expect(
            tasks.map { $0.at?.texts ?? [] } == [
                ["daily 02:30"], ["*/5 * * * *", "@reboot"], ["@reboot"], [],
            ])
        #expect(tasks.map(\.missed) == [.skip, .all, .skip, .skip])
        #expect(tasks.map(\.spread) == [.minutes(10), .zero, .minutes(10), .minutes(10)])
        #expect(tasks.map(\.tolerance) == [.hours(2), .minutes(1), .hours(2), .hours(2)])
        #expect(tasks[2].at?.isAtBoot == true)
    }

    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "an hour that there is not",
            task: """
                kind: processing
                at: "30 25 * * *"
                """,
            says: """
                jobs.yaml:9:17: error: the time '30 25 * * *' has '25' as the hour, which is a number from 0 to 23
                    9 |         at: "30 25 * * *"
                      |                 ^~
                help: write a number from 0 to 23, such as `0 8-18 * * *`
                """),
        Case(
            "a date that never comes",
            task: """
                kind: processing
                at: 30 2 31 2 *
                """,
            says: """
                jobs.yaml:9:18: error: the time '30 2 31 2 *' names a date that no year has
                    9 |         at: 30 2 31 2 *
                      |                  ^~
                help: write a day that the month has, or `monthly last 04:00` for its last
                """),
        Case(
            "one of several",
            task: """
                kind: processing
                at: [daily 02:30, '5/15 * * * *', hourly]
                """,
            says: """
                jobs.yaml:9:28: error: the time '5/15 * * * *' has a step but no range in '5/15'
                    9 |         at: [daily 02:30, '5/15 * * * *', hourly]
                      |                            ^~~~
                help: write `5-59/15`
                """),
        Case(
            "a word with a slip",
            task: """
                kind: processing
                at: "@dayly"
                """,
            says: """
                jobs.yaml:9:14: error: the time '@dayly' has the word '@dayly', which names no times
                    9 |         at: "@dayly"
                      |              ^~~~~~
                help: did you mean `@daily`?
                """),
        Case(
            "with an escape the whole text is meant",
            task: """
                kind: processing
                at: "30\\t25 * * *"
                """,
            says: """
                jobs.yaml:9:13: error: the time '30\\t25 * * *' has '25' as the hour, which is a number from 0 to 23
                    9 |         at: "30\\t25 * * *"
                      |             ^~~~~~~~~~~~~~
                help: write a number from 0 to 23, such as `0 8-18 * * *`
                """),
        Case(
            "times and a distance",
            task: """
                kind: processing
                repeat: 1d
                at: daily
                """,
            says: """
                jobs.yaml:10:9: error: `at` and `repeat` both say when this task is launched
                   10 |         at: daily
                      |         ^~
                help: keep `at` for exact times, or `repeat` to let Lull choose the moment
                """),
        Case(
            "of a continued task",
            task: """
                kind: continued
                at: daily
                """,
            says: """
                jobs.yaml:9:9: error: a person begins a continued task, so it can't have `at`
                    9 |         at: daily
                      |         ^~
                help: take `at` out, or write `kind: processing`
                """),
        Case(
            "no times at all",
            task: """
                kind: processing
                at: []
                """,
            says: """
                jobs.yaml:9:13: error: `at` takes a time or a list of times, not a list
                    9 |         at: []
                      |             ^~
                help: write, for example, `at: "30 2 * * *"`
                """),
        Case(
            "another word for what is missed",
            task: """
                kind: processing
                at: daily
                missed: once
                """,
            says: """
                jobs.yaml:10:17: error: `missed` must be one, all or skip, not 'once'
                   10 |         missed: once
                      |                 ^~~~
                help: did you mean `one`?
                """),
        Case(
            "what is kept where nothing is",
            task: """
                kind: processing
                spread: 10m
                """,
            says: """
                jobs.yaml:9:9: warning: `spread` is about the times of `at`, but this task has no `at`
                    9 |         spread: 10m
                      |         ^~~~~~
                help: take `spread` out, or write `at: "30 2 * * *"`
                """),
        Case(
            "without quotes",
            task: """
                kind: processing
                at: @daily
                """,
            says: """
                jobs.yaml:9:13: error: text without quotes can't begin with '@'
                    9 |         at: @daily
                      |             ^
                help: put the text in quotes: `'…'`
                """),
        Case(
            "an asterisk without quotes",
            task: """
                kind: processing
                at: */5 * * * *
                """,
            says: """
                jobs.yaml:9:13: error: '*' begins an alias, but no name follows
                    9 |         at: */5 * * * *
                      |             ^
                help: put the text in quotes: `'…'`
                """),
    ]
}
