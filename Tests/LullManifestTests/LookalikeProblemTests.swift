import Testing

@testable import LullManifest

/// Mistakes that the eye passes over: each is named as what it is, and its remedy works as written.
struct LookalikeProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "no space after the dash",
            task: """
                kind: processing
                windows:
                  -"01:00-05:00"
                """,
            says: """
                jobs.yaml:10:11: error: the space after the `-` is missing, so this is not a list
                   10 |           -"01:00-05:00"
                      |           ^~~~~~~~~~~~~~
                help: write `- "01:00-05:00"`
                """),
        Case(
            "no space after two dashes",
            task: """
                kind: processing
                at:
                  -"0 5 * * *"
                  -"0 7 * * *"
                """,
            says: """
                jobs.yaml:10:11: error: the space after the `-` is missing, so this is not a list
                   10 |           -"0 5 * * *"
                      |           ^
                help: write `- "0 5 * * *"`
                """),
        Case(
            "no space after a dash below its key",
            task: """
                kind: processing
                windows:
                -"01:00-05:00"
                """,
            says: """
                jobs.yaml:10:9: error: the space after the `-` is missing, so this is not a list
                   10 |         -"01:00-05:00"
                      |         ^
                help: write `- "01:00-05:00"`
                """),
        Case(
            "no-break spaces before an app",
            "version: 1\napps:\n\u{A0} com.example.A:\n    plugin: ColorFeed\n",
            says: """
                jobs.yaml:2:1: warning: the manifest has no apps: nothing will run
                    2 | apps:
                      | ^~~~
                help: list them under `apps:`
                jobs.yaml:3:1: error: here is a no-break space, U+00A0, and not a space
                    3 | \u{A0} com.example.A:
                      | ^
                help: delete it, and type a space: `com.example.A`
                """),
        Case(
            "no space before a key of a list's entry",
            task: """
                kind: processing
                notify:
                  -mail: root
                """,
            says: """
                jobs.yaml:10:11: error: the space after the `-` is missing, so this is not a list
                   10 |           -mail: root
                      |           ^~~~~
                help: write a space after each `-`
                """),
        Case(
            "a Cyrillic letter in a key",
            task: "kind: processing\nrep\u{435}at: 1d",
            says: """
                jobs.yaml:9:12: error: here is a Cyrillic letter, U+0435, and not the letter e
                    9 |         rep\u{435}at: 1d
                      |            ^
                help: type `e` in its place: `repeat`
                """),
        Case(
            "a no-break space after a colon",
            task: """
                kind: processing
                repeat:\u{A0}1d
                """,
            says: """
                jobs.yaml:9:16: error: here is a no-break space, U+00A0, and not a space
                    9 |         repeat:\u{A0}1d
                      |                ^
                help: delete it, and type a space
                """),
        Case(
            "a no-break space after the only colon",
            task: "kind:\u{A0}processing",
            says: """
                jobs.yaml:8:14: error: here is a no-break space, U+00A0, and not a space
                    8 |         kind:\u{A0}processing
                      |              ^
                help: delete it, and type a space
                """),
        Case(
            "a no-break space before a value",
            task: "kind: processing\nrepeat: \u{A0}1d",
            says: """
                jobs.yaml:9:17: error: here is a no-break space, U+00A0, and not a space
                    9 |         repeat: \u{A0}1d
                      |                 ^
                help: delete it, and type a space: `1d`
                """),
        Case(
            "typographic quotes around a time",
            task: "kind: processing\nat: “0 5 * * *”",
            says: """
                jobs.yaml:9:13: error: here is a typographic quote, U+201C, and not a quote
                    9 |         at: “0 5 * * *”
                      |             ^
                help: type `"` in its place: `"0 5 * * *"`
                """),
        Case(
            "typographic quotes around text with a colon",
            task: "kind: processing\ndescription: “nightly: all of it”",
            says: """
                jobs.yaml:9:22: error: here is a typographic quote, U+201C, and not a quote
                    9 |         description: “nightly: all of it”
                      |                      ^
                help: type `"` in its place
                """),
        Case(
            "an en dash in a window",
            task: "kind: processing\nwindows: [\"01:00–05:00\"]",
            says: """
                jobs.yaml:9:25: error: here is an en dash, U+2013, and not a hyphen
                    9 |         windows: ["01:00–05:00"]
                      |                         ^
                help: type `-` in its place: `01:00-05:00`
                """),
        Case(
            "a typographic apostrophe around a kind",
            task: "kind: ‘refresh’",
            says: """
                jobs.yaml:8:15: error: here is a typographic quote, U+2018, and not a quote
                    8 |         kind: ‘refresh’
                      |               ^
                help: type `'` in its place: `'refresh'`
                """),
        Case("they may stand in text", task: "kind: refresh\ndescription: “all”\u{A0}– of it"),
        Case(
            "processors as a number of cores",
            app: """
                limits: { cpu: 2 }
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:20: error: `cpu` takes a share in per cent, not '2'
                    6 |     limits: { cpu: 2 }
                      |                    ^
                help: write `cpu: 200%`
                """),
        Case(
            "processors as a number that may be either",
            app: """
                limits: { cpu: 50 }
                tasks: { r: { kind: refresh } }
                """,
            says: """
                jobs.yaml:6:20: error: `cpu` takes a share in per cent, not '50'
                    6 |     limits: { cpu: 50 }
                      |                    ^~
                help: write `cpu: 50%` or `cpu: 5000%`
                """),
    ]
}
