import Testing

@testable import LullManifest

/// A manifest that is right key by key may still make no sense.
struct SenseProblemTests {
    @Test func `a continued command is warned of, for it can report no progress`() {
        func said(_ plugin: String, _ kind: String) -> [String] {
            let text =
                "version: 1\napps:\n  com.example.A: { plugin: \(plugin), idle_after: never, tasks: { "
                + "r: { kind: \(kind), settings: { run: ls } } } }\n"
            return read(Array(text.utf8)).diagnostics.filter { !$0.message.contains("no plugin") }.map {
                "\($0.severity) \($0.message); \($0.fix)"
            }
        }
        #expect(
            said("Command", "continued") == [
                "warning a command can't report progress, so Lull ends a continued run of it after 1 min; "
                    + "write `kind: processing`"
            ])
        #expect(said("Command", "processing").isEmpty && said("ColorFeed", "continued").isEmpty)
    }

    @Test func `attempts that are refused are there all the same`() {
        let text = Remedy.whole(task: "kind: processing\nat: daily\nretry: { attempts: 0 }")
        #expect(read(Array(text.utf8)).diagnostics.map(\.severity) == [.error])
    }

    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "a continued task that repeats",
            task: """
                kind: continued
                repeat: 1h
                """,
            says: """
                jobs.yaml:9:17: error: a person begins a continued task, so it can't repeat
                    9 |         repeat: 1h
                      |                 ^~
                help: take `repeat` out, or write `kind: refresh` or `kind: processing`
                """),
        Case(
            "a continued task that waits for idleness",
            task: """
                kind: continued
                requires: { idle: true }
                """,
            says: """
                jobs.yaml:8:15: error: this task can never run: a person begins a continued task, and `idle: true` waits until nobody is there
                    8 |         kind: continued
                      |               ^~~~~~~~~
                help: write `requires: { idle: false }` in this task
                """),
        Case(
            "a warning before the beginning",
            task: """
                kind: refresh
                time_limit: 10s
                grace: { warning: 10s }
                """,
            says: """
                jobs.yaml:10:16: error: the warning comes 10s before the time limit of 10s, so this task would expire as it begins
                   10 |         grace: { warning: 10s }
                      |                ^~~~~~~~~~~~~~~~
                help: write a longer `time_limit`, or a shorter warning: `grace: { warning: 1s }`
                """),
        Case(
            "a warning before the default limit",
            task: """
                kind: refresh
                grace: { warning: 1m }
                """,
            says: """
                jobs.yaml:9:16: error: the warning comes 1m before the time limit of 30s, so this task would expire as it begins
                    9 |         grace: { warning: 1m }
                      |                ^~~~~~~~~~~~~~~
                help: write a longer `time_limit`, or a shorter warning: `grace: { warning: 1s }`
                """),
        Case(
            "no source of use",
            """
            version: 1
            apps:
              com.example.A: { plugin: ColorFeed, tasks: { r: { kind: refresh } } }

            """,
            says: """
                jobs.yaml:3:3: warning: 'com.example.A' has no source of uses: 7d after its discovery, Lull stops launching its tasks
                    3 |   com.example.A: { plugin: ColorFeed, tasks: { r: { kind: refresh } } }
                      |   ^~~~~~~~~~~~~
                help: name a source under `usage`, or write `usage: manual` and call `lull used`, or write `idle_after: never`
                """),
        Case(
            "no apps",
            """
            version: 1
            apps:

            """,
            says: """
                jobs.yaml:2:1: warning: the manifest has no apps: nothing will run
                    2 | apps:
                      | ^~~~
                help: list them under `apps:`
                """),
        Case(
            "no tasks",
            app: """
                tasks: {}
                """,
            says: """
                jobs.yaml:3:3: warning: the app 'com.example.A' has no tasks: nothing of it will run
                    3 |   com.example.A:
                      |   ^~~~~~~~~~~~~
                help: list them under `tasks:`, such as `refresh: { kind: refresh }`
                """),
        Case(
            "a repeat under the gap",
            task: """
                kind: refresh
                repeat: 5m
                """,
            says: """
                jobs.yaml:9:17: warning: this task repeats every 5m, but refreshes of an app are at least 15m apart
                    9 |         repeat: 5m
                      |                 ^~
                help: add `min_gap: 5m`, or write a longer `repeat`
                """),
    ]
}
