import Testing

@testable import LullManifest

/// Keys without effect where they stand, and values that lose a part of their text.
struct SilentKeyTests {
    @Test(arguments: cases)
    func `each is told with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "a comma in a setting in braces",
            task: "kind: processing\nsettings: { run: echo a, b }",
            says: """
                jobs.yaml:9:34: error: the key 'b' has no value: in braces a comma ends the text before it
                    9 |         settings: { run: echo a, b }
                      |                                  ^
                help: put text with a comma in quotes: `run: "echo a, b"`; or write `b: null`
                """),
        Case(
            "a hash in a command",
            task: "kind: processing\nsettings:\n  run: grep -c #include FILE",
            says: """
                jobs.yaml:10:24: warning: ` #` begins a comment: what follows it is not part of this command
                   10 |           run: grep -c #include FILE
                      |                        ^
                help: if the command goes on there, put it in quotes, `'…'`; if this is a comment, put a space after the `#`
                """),
        Case(
            "a hash in the quotes of a command",
            task: "kind: processing\nsettings:\n  run: echo \"a # b\"",
            says: """
                jobs.yaml:10:24: warning: ` #` begins a comment: what follows it is not part of this command
                   10 |           run: echo "a # b"
                      |                        ^
                help: if the command goes on there, put it in quotes, `'…'`; if this is a comment, put a space after the `#`
                """),
        Case("a comment", task: "kind: processing\nsettings:\n  run: backup \"all\"  # of it"),
        Case("a hash in quotes", task: "kind: processing\nsettings:\n  run: 'echo #a'  #b"),
        Case("null in settings", task: "kind: processing\nsettings: { a: null, b: ~, c: '' }"),
        Case("nothing below a key of settings", task: "kind: processing\nsettings:\n  a:\n  b: 1"),
        Case(
            "the interval of a task's heartbeat",
            task: "kind: refresh\nheartbeat: { url: \"https://hc.example/1\", every: 5m }",
            says: """
                jobs.yaml:9:51: error: the key 'every' is not allowed in the `heartbeat` of a task
                    9 |         heartbeat: { url: "https://hc.example/1", every: 5m }
                      |                                                   ^~~~~
                help: 'every' belongs in the `heartbeat` at the top
                """),
        Case(
            "the failures of the host's heartbeat",
            """
            version: 1
            heartbeat: { url: "https://hc.example/1", fail: true }
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:2:43: error: the key 'fail' is not allowed in the `heartbeat` at the top
                    2 | heartbeat: { url: "https://hc.example/1", fail: true }
                      |                                           ^~~~
                help: 'fail' belongs in the `heartbeat` of a task
                """),
        Case(
            "what plans refreshes, in a processing task",
            task: "kind: processing\nbudget: 4\nmin_gap: 1h",
            says: """
                jobs.yaml:10:9: warning: `min_gap` is only for refresh tasks, and the kind of this task is processing
                   10 |         min_gap: 1h
                      |         ^~~~~~~
                help: take `min_gap` out, or write `kind: refresh`
                """),
        Case(
            "latest beside times",
            task: "kind: processing\nat: daily 02:30\nlatest: 2d",
            says: """
                jobs.yaml:10:9: warning: `latest` limits the wait for a good moment, but a task with `at` does not wait for one
                   10 |         latest: 2d
                      |         ^~~~~~
                help: take `latest` out, or write `repeat` instead of `at`
                """),
        Case(
            "a short name with a dot",
            app: "tasks: { backup.nightly: { kind: refresh } }",
            says: """
                jobs.yaml:6:14: warning: a name with a dot is the whole identifier, so this task is 'backup.nightly', not 'com.example.A.backup.nightly'
                    6 |     tasks: { backup.nightly: { kind: refresh } }
                      |              ^~~~~~~~~~~~~~
                help: write `com.example.A.backup.nightly`, or a name without a dot, such as `backup_nightly`
                """),
        Case(
            "whole identifiers",
            app:
                "tasks: { com.other.x: { kind: refresh }, org.other.x: { kind: refresh }, e.*: { kind: continued } }"
        ),
        Case(
            "none for never",
            """
            version: 1
            apps:
              com.example.A: { plugin: ColorFeed, idle_after: none, tasks: { r: { kind: refresh } } }

            """,
            says: """
                jobs.yaml:3:51: error: `idle_after` takes a duration or never, not 'none'
                    3 |   com.example.A: { plugin: ColorFeed, idle_after: none, tasks: { r: { kind: refresh } } }
                      |                                                   ^~~~
                help: write `idle_after: never`
                """),
    ]
}
