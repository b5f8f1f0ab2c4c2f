import Testing

@testable import LullManifest

/// Faults in keys, anchors and bounds.
struct StructureProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "an empty file",
            "",
            says: """
                jobs.yaml:1:1: error: the manifest is empty
                help: begin with `version: 1` and list your apps under `apps:`
                """),
        Case(
            "nothing but a comment",
            """
            # nothing yet

            """,
            says: """
                jobs.yaml:1:1: error: the manifest is empty
                    1 | # nothing yet
                      | ^
                help: begin with `version: 1` and list your apps under `apps:`
                """),
        Case(
            "null",
            """
            ~

            """,
            says: """
                jobs.yaml:1:1: error: the manifest is empty
                    1 | ~
                      | ^
                help: begin with `version: 1` and list your apps under `apps:`
                """),
        Case(
            "a list for a manifest",
            """
            - version: 1

            """,
            says: """
                jobs.yaml:1:1: error: a manifest must be keys and values, not a list
                    1 | - version: 1
                      | ^
                help: begin with `version: 1` and list your apps under `apps:`
                """),
        Case(
            "text for a manifest",
            """
            hello

            """,
            says: """
                jobs.yaml:1:1: error: a manifest must be keys and values, not 'hello'
                    1 | hello
                      | ^~~~~
                help: begin with `version: 1` and list your apps under `apps:`
                """),
        Case(
            "an unknown key with its neighbour",
            task: """
                kind: refresh
                repaet: 15m
                """,
            says: """
                jobs.yaml:9:9: error: unknown key 'repaet' in a task
                    9 |         repaet: 15m
                      |         ^~~~~~
                help: did you mean `repeat`?
                """),
        Case(
            "an unknown key with no neighbour",
            """
            version: 1
            apps: {}
            colour: red

            """,
            says: """
                jobs.yaml:2:1: warning: the manifest has no apps: nothing will run
                    2 | apps: {}
                      | ^~~~
                help: list them under `apps:`
                jobs.yaml:3:1: error: unknown key 'colour' in the manifest
                    3 | colour: red
                      | ^~~~~~
                help: the keys here are version, include, defaults, apps, heartbeat, groups, cost_limit, fleet
                """),
        Case(
            "a key without a space inside of braces",
            task: """
                kind: refresh
                requires: { idle:true }
                """,
            says: """
                jobs.yaml:9:21: error: unknown key 'idle:true' in `requires`
                    9 |         requires: { idle:true }
                      |                     ^~~~~~~~~
                help: put a space after the colon, or put a key that contains a colon in quotes
                """),
        Case(
            "a key in the wrong place",
            app: """
                repeat: 15m
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:5: error: the key 'repeat' is not allowed in an app
                    6 |     repeat: 15m
                      |     ^~~~~~
                help: 'repeat' belongs in a task
                """),
        Case(
            "a reserved key",
            task: """
                kind: refresh
                store: postgres
                """,
            says: """
                jobs.yaml:9:9: error: the key 'store' is reserved for a later version of lull
                    9 |         store: postgres
                      |         ^~~~~
                help: take it out until a later version of lull uses it
                """),
        Case(
            "a key twice",
            task: """
                kind: refresh
                nice: 5
                kind: processing
                """,
            says: """
                jobs.yaml:10:9: error: the key 'kind' appears twice; the first is on line 8
                   10 |         kind: processing
                      |         ^~~~
                help: keep one of the two
                """),
        Case(
            "version and apps missing",
            """
            defaults: {}

            """,
            says: """
                jobs.yaml:1:1: error: the manifest needs the key 'version'
                    1 | defaults: {}
                      | ^
                help: write `version: 1`
                jobs.yaml:1:1: error: the manifest needs the key 'apps'
                    1 | defaults: {}
                      | ^
                help: write `apps: { com.example.ColorFeed: … }`
                """),
        Case(
            "kind missing",
            task: """
                repeat: 15m
                """,
            says: """
                jobs.yaml:7:7: error: a task needs the key 'kind'
                    7 |       r:
                      |       ^
                help: write `kind: refresh`
                """),
        Case(
            "plugin missing",
            """
            version: 1
            apps:
              com.example.A:
                usage: manual
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:3:3: error: an app needs the key 'plugin'
                    3 |   com.example.A:
                      |   ^~~~~~~~~~~~~
                help: write `plugin: Command` to run command lines, or another plugin's name
                """),
        Case(
            "a source that is none",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ match: x ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:14: error: a source of `usage` needs one of the keys log, login, journal or access
                    5 |     usage: [ match: x ]
                      |              ^~~~~~~~~
                help: write `log: PATH`, `login: USER`, `journal: { unit: NAME }` or `access: PATH`
                """),
        Case(
            "a log without its time",
            """
            version: 1
            apps:
              com.example.A:
                plugin: ColorFeed
                usage: [ { log: /var/log/access.log } ]
                tasks: { r: { kind: refresh } }

            """,
            says: """
                jobs.yaml:5:14: error: a source of `usage` needs the key 'time'
                    5 |     usage: [ { log: /var/log/access.log } ]
                      |              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~
                help: write `time: common`
                """),
        Case(
            "a task without anything",
            app: """
                tasks:
                  r:
                """,
            says: """
                jobs.yaml:7:7: error: a task needs the key 'kind'
                    7 |       r:
                      |       ^
                help: write `kind: refresh`
                """),
        Case(
            "tasks as a list",
            app: """
                tasks: [ refresh ]
                """,
            says: """
                jobs.yaml:6:12: error: `tasks` takes keys and values, not a list
                    6 |     tasks: [ refresh ]
                      |            ^~~~~~~~~~~
                help: put each on a line of its own, deeper than this one: `NAME:`, and its keys below it
                """),
        Case(
            "a task as text",
            app: """
                tasks: { r: refresh }
                """,
            says: """
                jobs.yaml:6:17: error: a task must be keys and values, not 'refresh'
                    6 |     tasks: { r: refresh }
                      |                 ^~~~~~~
                help: write its keys below it, such as `kind: refresh`
                """),
    ]
}
