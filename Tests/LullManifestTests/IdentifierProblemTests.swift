import Testing

@testable import LullManifest

/// Identifiers are reverse DNS, and belong to one app and one task.
struct IdentifierProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "an app without a dot",
            """
            version: 1
            apps:
              ColorFeed: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }

            """,
            says: """
                jobs.yaml:3:3: error: 'ColorFeed' is not an app identifier: it has no dot
                    3 |   ColorFeed: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }
                      |   ^~~~~~~~~
                help: write it in reverse DNS: `com.example.ColorFeed`
                """),
        Case(
            "an app with a space",
            """
            version: 1
            apps:
              com.example.Color Feed: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }

            """,
            says: """
                jobs.yaml:3:3: error: 'com.example.Color Feed' is not an app identifier: it contains ' '; only ASCII letters, digits, '-', '_' and '.' are allowed
                    3 |   com.example.Color Feed: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }
                      |   ^~~~~~~~~~~~~~~~~~~~~~
                help: write it in reverse DNS, such as `com.example.ColorFeed`
                """),
        Case(
            "an app with an empty label",
            """
            version: 1
            apps:
              com..Feed: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }

            """,
            says: """
                jobs.yaml:3:3: error: 'com..Feed' is not an app identifier: it has an empty part before, after or between its dots
                    3 |   com..Feed: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }
                      |   ^~~~~~~~~
                help: write it in reverse DNS, such as `com.example.ColorFeed`
                """),
        Case(
            "a task with a slash",
            app: """
                tasks: { a/b: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:14: error: 'a/b' is not a task identifier: it contains '/'; only ASCII letters, digits, '-', '_' and '.' are allowed
                    6 |     tasks: { a/b: { kind: refresh } }
                      |              ^~~
                help: write `a_b`
                """),
        Case(
            "a task that begins with a dash",
            app: """
                tasks: { -x: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:14: error: '-x' is not a task identifier: it has a part that begins with '-'
                    6 |     tasks: { -x: { kind: refresh } }
                      |              ^~
                help: write a short name such as `refresh`, or reverse DNS such as `com.example.ColorFeed.refresh`
                """),
        Case(
            "a wildcard of a kind that nobody begins",
            app: """
                tasks: { export.*: { kind: processing } }
                """,
            says: """
                jobs.yaml:6:14: error: 'com.example.A.export.*' is a wildcard, but its kind is processing: only continued tasks may have wildcards
                    6 |     tasks: { export.*: { kind: processing } }
                      |              ^~~~~~~~
                help: write `kind: continued`, or list each identifier without an asterisk
                """),
        Case(
            "an asterisk elsewhere than at the end",
            app: """
                tasks: { com.example.*.A: { kind: continued } }
                """,
            says: """
                jobs.yaml:6:14: error: 'com.example.*.A' is not a task identifier: it contains '*'; only ASCII letters, digits, '-', '_' and '.' are allowed
                    6 |     tasks: { com.example.*.A: { kind: continued } }
                      |              ^~~~~~~~~~~~~~~
                help: write a short name such as `refresh`, or reverse DNS such as `com.example.ColorFeed.refresh`
                """),
        Case(
            "wildcards of continued tasks",
            app: "tasks: { export.*: { kind: continued }, com.example.A.x.*: { kind: continued } }"),
        Case(
            "a task without a name",
            app: """
                tasks: { "": { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:14: error: '' is not a task identifier: it is empty
                    6 |     tasks: { "": { kind: refresh } }
                      |              ^~
                help: write a short name such as `refresh`, or reverse DNS such as `com.example.ColorFeed.refresh`
                """),
        Case(
            "an app twice",
            """
            version: 1
            apps:
              com.example.A: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }
              com.example.A: {}

            """,
            says: """
                jobs.yaml:4:3: error: the app 'com.example.A' appears twice; the first is on line 3
                    4 |   com.example.A: {}
                      |   ^~~~~~~~~~~~~
                help: put all tasks under one of the two
                """),
        Case(
            "a task by its short and its full name",
            app: """
                tasks:
                  r: { kind: refresh }
                  com.example.A.r: { kind: refresh }
                """,
            says: """
                jobs.yaml:8:7: error: the task 'com.example.A.r' appears twice; the first is on line 7
                    8 |       com.example.A.r: { kind: refresh }
                      |       ^~~~~~~~~~~~~~~
                help: rename one of the two: an identifier belongs to one task
                """),
        Case(
            "a task under two apps",
            """
            version: 1
            apps:
              com.example.A: { plugin: ColorFeed, usage: manual, tasks: { r: { kind: refresh } } }
              com.example.B: { plugin: ColorFeed, usage: manual, tasks: { com.example.A.r: { kind: refresh } } }

            """,
            says: """
                jobs.yaml:4:63: error: the task 'com.example.A.r' already belongs to the app 'com.example.A', on line 3
                    4 |   com.example.B: { plugin: ColorFeed, usage: manual, tasks: { com.example.A.r: { kind: refresh } } }
                      |                                                               ^~~~~~~~~~~~~~~
                help: rename one of the two: an identifier belongs to one task
                """),
    ]
}
