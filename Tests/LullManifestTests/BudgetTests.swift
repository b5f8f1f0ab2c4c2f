import LullModel
import Testing

@testable import LullManifest

/// The amount and aim of refreshes: `budget` in its two forms, and `objective`.
struct BudgetTests {
    /// The one task of a manifest whose `defaults`, app and task have these lines.
    private func task(defaults: String = "{}", app: String = "nice: 0", _ task: String) throws
        -> TaskDefinition
    {
        let result = read(
            Array(
                """
                version: 1
                defaults: \(defaults)
                apps:
                  com.example.A:
                    plugin: ColorFeed
                    usage: manual
                    \(app)
                    tasks: { r: \(task) }
                """.utf8))
        #expect(result.diagnostics.isEmpty)
        return try #require(result.manifest?.tasks.first)
    }

    @Test func `without a word the budget is eight launches a day, for both`() throws {
        let task = try task("{ kind: refresh }")
        #expect(task.budget == 8 && task.freshShare == nil && task.fresh == .minutes(60))
        #expect(task.objective == .both)
    }

    @Test func `a number is launches a day, and leaves the rest as it is`() throws {
        let task = try task("{ kind: refresh, budget: 2.5 }")
        #expect(task.budget == 2.5 && task.freshShare == nil && task.objective == .both)
    }

    @Test(arguments: Objective.allCases)
    func `each objective is read`(_ objective: Objective) throws {
        #expect(try task("{ kind: refresh, objective: \(objective.rawValue) }").objective == objective)
    }

    @Test func `a share is of the uses within an hour, and is planned for hits`() throws {
        let task = try task("{ kind: refresh, budget: { fresh: 70% } }")
        #expect(task.freshShare == 0.7 && task.fresh == .minutes(60) && task.objective == .hits)
        #expect(task.budget == 8)
    }

    @Test func `within says how old is fresh, and an objective of its own holds`() throws {
        let task = try task(
            "{ kind: refresh, objective: both, budget: { within: 24h, fresh: 12.5% } }")
        #expect(task.freshShare == 0.125 && task.fresh == .hours(24) && task.objective == .both)
        #expect(try self.task("{ kind: refresh, budget: { fresh: 99%, within: 15m } }").fresh == .minutes(15))
    }

    @Test func `both forms are inherited, and the nearest replaces the other`() throws {
        let share = "{ budget: { fresh: 50%, within: 30m } }"
        var task = try task(defaults: share, "{ kind: refresh }")
        #expect(task.freshShare == 0.5 && task.fresh == .minutes(30) && task.objective == .hits)
        task = try self.task(defaults: share, app: "budget: 4", "{ kind: refresh }")
        #expect(task.freshShare == nil && task.fresh == .minutes(60) && task.objective == .both)
        #expect(task.budget == 4)
        // How long a result is fresh belongs to the share, and is not inherited without it.
        task = try self.task(defaults: share, app: "budget: 4", "{ kind: refresh, budget: { fresh: 60% } }")
        #expect(task.freshShare == 0.6 && task.fresh == .minutes(60) && task.budget == 8)
    }

    @Test func `the objective is inherited`() throws {
        let task = try task(
            defaults: "{ objective: staleness }", app: "budget: { fresh: 50% }", "{ kind: refresh }")
        #expect(task.objective == .staleness && task.freshShare == 0.5)
        #expect(
            try self.task(defaults: "{ objective: staleness }", "{ kind: refresh, objective: hits }")
                .objective
                == .hits)
    }

    @Test func `a share that is inherited says nothing to another kind`() throws {
        let task = try task(
            defaults: "{ objective: hits, budget: { fresh: 50%, within: 30m } }", "{ kind: processing }")
        #expect(task.freshShare == nil && task.fresh == .minutes(60) && task.budget == 8)
    }

    @Test(arguments: cases)
    func `each slip is told with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "an objective with a slip",
            task: """
                kind: refresh
                objective: stalenes
                """,
            says: """
                jobs.yaml:9:20: error: `objective` must be hits, staleness or both, not 'stalenes'
                    9 |         objective: stalenes
                      |                    ^~~~~~~~
                help: did you mean `staleness`?
                """),
        Case(
            "an objective that is far from any",
            app: """
                objective: 70%
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:16: error: `objective` must be hits, staleness or both, not '70%'
                    6 |     objective: 70%
                      |                ^~~
                help: write `objective: hits`, `objective: staleness` or `objective: both`
                """),
        Case(
            "an objective of processing",
            task: """
                kind: processing
                objective: hits
                """,
            says: """
                jobs.yaml:9:9: warning: `objective` is only for refresh tasks, and the kind of this task is processing
                    9 |         objective: hits
                      |         ^~~~~~~~~
                help: take `objective` out, or write `kind: refresh`
                """),
        Case(
            "a share of fresh uses of an export",
            task: """
                budget: { fresh: 70% }
                kind: continued
                """,
            says: """
                jobs.yaml:8:9: warning: `budget` is only for refresh tasks, and the kind of this task is continued
                    8 |         budget: { fresh: 70% }
                      |         ^~~~~~
                help: take `budget` out, or write `kind: refresh`
                """),
        Case(
            "a share without its key",
            task: """
                kind: refresh
                budget: 70%
                """,
            says: """
                jobs.yaml:9:17: error: `budget` takes a number, or keys and values, not '70%'
                    9 |         budget: 70%
                      |                 ^~~
                help: write `budget: { fresh: 70% }`
                """),
        Case(
            "a share of more than may be asked for without its key",
            task: """
                kind: refresh
                budget: 120%
                """,
            says: """
                jobs.yaml:9:17: error: `budget` takes a number, or keys and values, not '120%'
                    9 |         budget: 120%
                      |                 ^~~~
                help: write, for example, `budget: 8`
                """),
        Case(
            "a list",
            task: """
                kind: refresh
                budget: [8]
                """,
            says: """
                jobs.yaml:9:17: error: `budget` takes a number, or keys and values, not a list
                    9 |         budget: [8]
                      |                 ^~~
                help: write, for example, `budget: 8`
                """),
        Case(
            "no launches",
            task: """
                kind: refresh
                budget: 0
                """,
            says: """
                jobs.yaml:9:17: error: `budget` must be over 0 and up to 1440, not '0'
                    9 |         budget: 0
                      |                 ^
                help: write a value over 0 and up to 1440, such as `budget: 8`
                """),
        Case(
            "a mapping without its share",
            task: """
                kind: refresh
                budget: { within: 30m }
                """,
            says: """
                jobs.yaml:9:17: error: `budget` needs the key 'fresh'
                    9 |         budget: { within: 30m }
                      |                 ^~~~~~~~~~~~~~~
                help: write `fresh: 70%`
                """),
        Case(
            "a key with a slip",
            task: """
                kind: refresh
                budget: { fresh: 70%, witin: 30m }
                """,
            says: """
                jobs.yaml:9:31: error: unknown key 'witin' in `budget`
                    9 |         budget: { fresh: 70%, witin: 30m }
                      |                               ^~~~~
                help: did you mean `within`?
                """),
        Case(
            "a key of elsewhere",
            task: """
                kind: refresh
                budget: { fresh: 70%, repeat: 30m }
                """,
            says: """
                jobs.yaml:9:31: error: the key 'repeat' is not allowed in `budget`
                    9 |         budget: { fresh: 70%, repeat: 30m }
                      |                               ^~~~~~
                help: 'repeat' belongs in a task
                """),
        Case(
            "a share outside of its budget",
            task: """
                kind: refresh
                fresh: 70%
                """,
            says: """
                jobs.yaml:9:9: error: the key 'fresh' is not allowed in a task
                    9 |         fresh: 70%
                      |         ^~~~~
                help: 'fresh' belongs in `budget`
                """),
        Case(
            "a share as a fraction",
            task: """
                kind: refresh
                budget: { fresh: 0.7 }
                """,
            says: """
                jobs.yaml:9:26: error: `fresh` takes a share in per cent, not '0.7'
                    9 |         budget: { fresh: 0.7 }
                      |                          ^~~
                help: write `fresh: 70%`
                """),
        Case(
            "all uses",
            task: """
                kind: refresh
                budget: { fresh: 100% }
                """,
            says: """
                jobs.yaml:9:26: error: `fresh` must be over 0% and up to 99%, not '100%'
                    9 |         budget: { fresh: 100% }
                      |                          ^~~~
                help: write a value over 0% and up to 99%, such as `fresh: 70%`
                """),
        Case(
            "no uses",
            task: """
                kind: refresh
                budget: { fresh: 0% }
                """,
            says: """
                jobs.yaml:9:26: error: `fresh` must be over 0% and up to 99%, not '0%'
                    9 |         budget: { fresh: 0% }
                      |                          ^~
                help: write a value over 0% and up to 99%, such as `fresh: 70%`
                """),
        Case(
            "fresh for a day and an hour",
            task: """
                kind: refresh
                budget: { fresh: 70%, within: 25h }
                """,
            says: """
                jobs.yaml:9:39: error: `within` must be from 15m to 1d, not '25h'
                    9 |         budget: { fresh: 70%, within: 25h }
                      |                                       ^~~
                help: write a value from 15m to 1d, such as `within: 60m`
                """),
        Case(
            "fresh for a number, in defaults",
            """
            version: 1
            defaults: { budget: { fresh: 70%, within: 60 } }
            apps:
              com.example.A: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }

            """,
            says: """
                jobs.yaml:2:43: error: `within` takes a duration, not '60'
                    2 | defaults: { budget: { fresh: 70%, within: 60 } }
                      |                                           ^~
                help: write `within: 60s`, `within: 60m` or `within: 60h`
                """),
    ]
}
