import LullModel
import Testing

@testable import LullManifest

/// The keys that people try first, and too little indentation: the remedy is what they want.
struct SlipTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "a command in a task",
            task: "kind: processing\ncommand: ls",
            says: """
                jobs.yaml:9:9: error: unknown key 'command' in a task
                    9 |         command: ls
                      |         ^~~~~~~
                help: what a plugin is told stands in `settings`; commands are run by `plugin: Command`, with `settings: { run: … }`
                """),
        Case(
            "cron in a task",
            task: "kind: processing\ncron: 0 5 * * *",
            says: """
                jobs.yaml:9:9: error: unknown key 'cron' in a task
                    9 |         cron: 0 5 * * *
                      |         ^~~~
                help: write `at`, such as `at: "30 2 * * *"`
                """),
        Case(
            "every in a task",
            task: "kind: processing\nevery: 1d",
            says: """
                jobs.yaml:9:9: error: unknown key 'every' in a task
                    9 |         every: 1d
                      |         ^~~~~
                help: write `repeat`, such as `repeat: 15m`
                """),
        Case(
            "a schedule in an app",
            app: "schedule: daily\ntasks: { r: { kind: refresh } }",
            says: """
                jobs.yaml:6:5: error: unknown key 'schedule' in an app
                    6 |     schedule: daily
                      |     ^~~~~~~~
                help: write `at` in a task of it, such as `at: "30 2 * * *"`
                """),
        Case(
            "tasks as far left as `tasks`",
            app: """
                tasks:
                t:
                  kind: refresh
                u:
                  kind: refresh
                """,
            says: """
                jobs.yaml:7:5: error: 't' stands as far left as 'tasks' above it, and so is not in it
                    7 |     t:
                      |     ^
                help: indent it, and what belongs to it, deeper than 'tasks': two spaces more will do
                """),
        Case(
            "a task's keys as far left as the task",
            app: """
                tasks:
                  t:
                  kind: refresh
                  repeat: 1h
                  u: { kind: refresh }
                """,
            says: """
                jobs.yaml:8:7: error: 'kind' stands as far left as 't' above it, and so is not in it
                    8 |       kind: refresh
                      |       ^~~~
                help: indent it, and what belongs to it, deeper than 't': two spaces more will do
                """),
        Case(
            "apps as far left as `apps`",
            """
            version: 1
            apps:
            com.example.A:
              plugin: ColorFeed

            """,
            says: """
                jobs.yaml:3:1: error: 'com.example.A' stands as far left as 'apps' above it, and so is not in it
                    3 | com.example.A:
                      | ^~~~~~~~~~~~~
                help: indent it, and what belongs to it, deeper than 'apps': two spaces more will do
                """),
        Case(
            "an app's keys as far left as the app",
            """
            version: 1
            apps:
              com.example.A:
              plugin: ColorFeed
              usage: manual

            """,
            says: """
                jobs.yaml:4:3: error: 'plugin' stands as far left as 'com.example.A' above it, and so is not in it
                    4 |   plugin: ColorFeed
                      |   ^~~~~~
                help: indent it, and what belongs to it, deeper than 'com.example.A': two spaces more will do
                """),
        Case(
            "a constraint as far left as `requires`",
            task: "kind: processing\nrequires:\nnetwork: any",
            says: """
                jobs.yaml:10:9: error: 'network' stands as far left as 'requires' above it, and so is not in it
                   10 |         network: any
                      |         ^~~~~~~
                help: indent it, and what belongs to it, deeper than 'requires': two spaces more will do
                """),
        Case("nothing after `requires`", task: "kind: processing\nrequires:\nrepeat: 1d"),
    ]

    @Test func `to the plugin Command a command is a setting`() {
        let text = """
            version: 1
            apps:
              com.example.A:
                idle_after: never
                tasks: { t: { kind: processing, run: ls, env: { A: b } } }
                plugin: Command

            """
        let said = read(Array(text.utf8)).diagnostics.map(\.fix)
        #expect(said.contains("the plugin Command is told that in its settings: `settings: { run: … }`"))
        #expect(said.contains("the plugin Command is told that in its settings: `settings: { env: … }`"))
    }
}
