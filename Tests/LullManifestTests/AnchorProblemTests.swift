import Testing

@testable import LullManifest

/// Keys that are no words, anchors that lead nowhere, and missing values.
struct AnchorProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "a list for a key",
            task: """
                kind: refresh
                ? [a]
                : b
                """,
            says: """
                jobs.yaml:9:11: error: a key must be a word, not a list
                    9 |         ? [a]
                      |           ^~~
                help: write `word: value`
                """),
        Case(
            "the merge key",
            task: """
                kind: refresh
                <<: { nice: 5 }
                """,
            says: """
                jobs.yaml:9:9: error: the merge key '<<' is not part of a manifest
                    9 |         <<: { nice: 5 }
                      |         ^~
                help: write the keys out here
                """),
        Case(
            "a tag",
            task: """
                kind: refresh
                nice: !!int 5
                """,
            says: """
                jobs.yaml:9:15: error: the tag '!!int' is not part of a manifest
                    9 |         nice: !!int 5
                      |               ^~~~~~~
                help: take it out: the schema says what type a value has
                """),
        Case(
            "an alias to nothing",
            """
            version: 1
            defaults: &common { nice: 5 }
            apps: *comon

            """,
            says: """
                jobs.yaml:3:7: error: no anchor above is named '&comon'
                    3 | apps: *comon
                      |       ^~~~~~
                help: did you mean `*common`?
                """),
        Case(
            "an alias inside of its anchor",
            """
            version: 1
            defaults: {}
            apps: &a { com.example.A: *a }

            """,
            says: """
                jobs.yaml:3:27: error: the alias '*a' is inside its own anchor
                    3 | apps: &a { com.example.A: *a }
                      |                           ^~
                help: write the value out
                """),
        Case(
            "a second document",
            """
            version: 1
            apps: {}
            ---
            version: 1

            """,
            says: """
                jobs.yaml:2:1: warning: the manifest has no apps: nothing will run
                    2 | apps: {}
                      | ^~~~
                help: list them under `apps:`
                jobs.yaml:3:1: error: a second document begins here, but a manifest is one document
                    3 | ---
                      | ^~~
                help: take out the `---`, and put all apps under one `apps:`
                """),
        Case(
            "no value",
            task: """
                kind: refresh
                repeat:
                """,
            says: """
                jobs.yaml:9:9: error: the key 'repeat' has no value
                    9 |         repeat:
                      |         ^~~~~~
                help: write, for example, `repeat: 15m`, or take the key out
                """),
        Case(
            "no value for a required key",
            task: """
                kind:
                """,
            says: """
                jobs.yaml:8:9: error: the key 'kind' has no value
                    8 |         kind:
                      |         ^~~~
                help: write, for example, `kind: refresh`
                """),
        Case(
            "another version",
            """
            version: 2
            apps: {}

            """,
            says: """
                jobs.yaml:1:10: error: this lull reads manifests of version 1, not '2'
                    1 | version: 2
                      |          ^
                help: write `version: 1`
                jobs.yaml:2:1: warning: the manifest has no apps: nothing will run
                    2 | apps: {}
                      | ^~~~
                help: list them under `apps:`
                """),
    ]
}
