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
                help: a plugin's own options belong in `settings`; `plugin: Command` runs commands, with `settings: { run: … }`
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
                jobs.yaml:7:5: error: 't' is not indented below 'tasks', so it is not part of it
                    7 |     t:
                      |     ^
                help: indent it, and the lines that belong to it, two spaces deeper than 'tasks'
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
                jobs.yaml:8:7: error: 'kind' is not indented below 't', so it is not part of it
                    8 |       kind: refresh
                      |       ^~~~
                help: indent it, and the lines that belong to it, two spaces deeper than 't'
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
                jobs.yaml:3:1: error: 'com.example.A' is not indented below 'apps', so it is not part of it
                    3 | com.example.A:
                      | ^~~~~~~~~~~~~
                help: indent it, and the lines that belong to it, two spaces deeper than 'apps'
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
                jobs.yaml:4:3: error: 'plugin' is not indented below 'com.example.A', so it is not part of it
                    4 |   plugin: ColorFeed
                      |   ^~~~~~
                help: indent it, and the lines that belong to it, two spaces deeper than 'com.example.A'
                """),
        Case(
            "a constraint as far left as `requires`",
            task: "kind: processing\nrequires:\nnetwork: any",
            says: """
                jobs.yaml:10:9: error: 'network' is not indented below 'requires', so it is not part of it
                   10 |         network: any
                      |         ^~~~~~~
                help: indent it, and the lines that belong to it, two spaces deeper than 'requires'
                """),
        Case("nothing after `requires`", task: "kind: processing\nrequires:\nrepeat: 1d"),
    ]

    @Test(arguments: [
        ("schedule: x", "`at: "), ("interval: 1h", "`repeat: 15m`"), ("timeout: 1h", "`time_limit: 10m`"),
        ("RandomizedDelaySec: 5m", "`spread: 10m`"), ("Persistent: true", "`missed: one`"),
        ("startingDeadlineSeconds: 5", "`missed: one`"), ("backoffLimit: 3", "`retry: {"),
        ("retries: 3", "`retry: {"),
        ("retries: 3", "write how many times it may run"),
        ("EnvironmentFile: /x", "`settings: { env_file: FILE }`"), ("labels: x", "`hosts: { labels: {"),
        ("nodes: x", "`hosts: { labels: {"),
        ("secrets: x", "`settings: { secrets: { NAME: { file: FILE } } }`"),
        ("LoadCredential: a:/x", "`settings: { secrets: {"),
        ("on_failure: mail", "`notify: ["), ("OnUnitActiveSec: 1h", "`repeat: 15m`"),
        ("suspend: true", "`enabled: true`"),
        ("concurrencyPolicy: Forbid", "`concurrency: 2`"), ("OnBootSec: 5m", "@reboot"),
        ("after: b", "`on: { after: NAME }`"),
        ("depends_on: b", "`on: { after: NAME }`"), ("run_as: bob", "`user` in `defaults` or an app"),
        ("user: bob", "`user` in `defaults` or an app"), ("args: x", "`settings: { run: … }`"),
        ("stdout: /x", "`>> FILE`"), ("healthcheck: x", "`heartbeat: "),
        ("load: 1", "`load_below` in `requires`"),
        ("image: x", "`docker run IMAGE`"), ("repaet: 1h", "did you mean `repeat`?"),
        ("colour: x", "the keys here are "),
    ])
    func `a key of another scheduler is answered with what does it here`(line: String, words: String) {
        let text =
            "version: 1\napps:\n  com.example.A:\n    plugin: Command\n    idle_after: never\n    tasks:\n"
            + "      t:\n        kind: processing\n        \(line)\n        settings: { run: ls }\n"
        let said = read(Array(text.utf8)).diagnostics.filter { $0.line == 9 }.map(\.fix)
        #expect(said.count == 1 && said[0].contains(words), "\(said)")
    }

    @Test func `the kind of a command is named, and what is below no colon`() {
        let head =
            "version: 1\napps:\n  com.example.A:\n    plugin: Command\n    idle_after: never\n    tasks:\n"
        let kind = read(Array((head + "      t: { settings: { run: ls } }\n").utf8)).diagnostics.map(\.fix)
        #expect(kind.contains { $0.hasPrefix("write `kind: processing`") }, "\(kind)")
        let colon = read(Array((head + "      nightly\n        kind: processing\n").utf8)).diagnostics
        #expect(
            colon.contains { $0.line == 7 && $0.fix.hasPrefix("write `nightly: …`") }, "\(colon.map(\.fix))")
        let name = read(Array((head + "      my job: { kind: processing, settings: { run: ls } }\n").utf8))
            .diagnostics
        #expect(name.contains { $0.fix == "write `my_job`" }, "\(name.map(\.fix))")
    }

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
        #expect(said.contains("the plugin Command has a setting for it: `settings: { run: … }`"))
        #expect(said.contains("the plugin Command has a setting for it: `settings: { env: … }`"))
    }
}
