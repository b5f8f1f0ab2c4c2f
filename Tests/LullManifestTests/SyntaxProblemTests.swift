import Testing

@testable import LullManifest

/// Invalid YAML is explained in the words of the person at the keyboard.
struct SyntaxProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "every line that a tab indents",
            task: """
                kind: refresh
                	repeat: 15m
                	nice: 5
                """,
            says: """
                jobs.yaml:9:9: error: a tab where YAML allows spaces only
                    9 |             repeat: 15m
                      |         ^~~~
                help: replace each tab with spaces; most editors can do that for the whole file
                jobs.yaml:10:9: error: a tab where YAML allows spaces only
                   10 |             nice: 5
                      |         ^~~~
                help: replace each tab with spaces; most editors can do that for the whole file
                """),
        Case(
            "no space after a colon",
            task: """
                kind: refresh
                repeat:15m
                """,
            says: """
                jobs.yaml:9:15: error: the space after the colon is missing in 'repeat:15m'
                    9 |         repeat:15m
                      |               ^
                help: write `repeat: 15m`
                """),
        Case(
            "no space after the first colon",
            task: """
                kind:refresh
                repeat: 15m
                """,
            says: """
                jobs.yaml:8:13: error: the space after the colon is missing in 'kind:refresh'
                    8 |         kind:refresh
                      |             ^
                help: write `kind: refresh`
                """),
        Case(
            "no space after the only colon",
            task: """
                kind:refresh
                """,
            says: """
                jobs.yaml:8:9: error: a task must be keys and values, not 'kind:refresh'
                    8 |         kind:refresh
                      |         ^~~~~~~~~~~~
                help: write it on a line of its own, with a space after the colon: `kind: refresh`
                """),
        Case(
            "no colon",
            task: """
                kind refresh
                repeat: 15m
                """,
            says: """
                jobs.yaml:8:9: error: 'kind refresh' is not a key: the colon is missing
                    8 |         kind refresh
                      |         ^~~~~~~~~~~~
                help: write `kind: refresh`, or indent the line if it goes on with the value above
                """),
        Case(
            "a word alone",
            task: """
                kind: refresh
                repeat
                nice: 5
                """,
            says: """
                jobs.yaml:9:9: error: 'repeat' is not a key: the colon is missing
                    9 |         repeat
                      |         ^~~~~~
                help: write `repeat: …`, or indent the line if it goes on with the value above
                """),
        Case(
            "a quote that is not closed",
            task: """
                kind: refresh
                description: 'it is
                repeat: 15m
                """,
            says: """
                jobs.yaml:9:22: error: the quote ' that begins here is not closed on its line
                    9 |         description: 'it is
                      |                      ^
                help: put a ' at the end of the text; inside of '…' a quote is written twice: `''`
                """),
        Case(
            "a quote that the next one closes",
            task: """
                kind: refresh
                description: "it is
                match: "15m"
                """,
            says: #"""
                jobs.yaml:9:22: error: the quote " that begins here is not closed on its line
                    9 |         description: "it is
                      |                      ^
                help: put a " at the end of the text; inside of "…" a quote is written as `\"`
                """#),
        Case(
            "text behind a quote",
            task: """
                kind: refresh
                description: 'it's mine'
                """,
            says: """
                jobs.yaml:9:26: error: more text follows the ' that closes the value
                    9 |         description: 'it's mine'
                      |                          ^
                help: a quote inside of '…' is written twice: `''`
                """),
        Case(
            "a colon in text",
            task: """
                kind: refresh
                description: note: this
                """,
            says: """
                jobs.yaml:9:26: error: a second ': ' in one line: text that contains a colon and a space needs quotes
                    9 |         description: note: this
                      |                          ^
                help: write `description: 'note: this'`
                """),
        Case(
            "too deep an indentation",
            task: """
                kind: refresh
                  repeat: 15m
                """,
            says: """
                jobs.yaml:9:11: error: this line is indented below the line above, which already has a value
                    9 |           repeat: 15m
                      |           ^~~~~~
                help: indent it with 8 spaces, like the line above
                """),
        Case(
            "an indentation between two",
            task: """
                kind: refresh
                requires:
                    idle: true
                  nice: 5
                """,
            says: """
                jobs.yaml:11:11: error: this line's indentation matches no line above it
                   11 |           nice: 5
                      |           ^~~~~~~
                help: indent it with 12 spaces, like the line above, or like the keys that it belongs to
                """),
        Case(
            "a brace that is not closed",
            task: """
                kind: refresh
                requires: { network: any
                nice: 5
                """,
            says: """
                jobs.yaml:9:19: error: the { that begins here is not closed, or a comma is missing in it
                    9 |         requires: { network: any
                      |                   ^
                help: put a comma between the pairs, and a `}` at the end
                """),
        Case(
            "a bracket that is not closed at the end",
            task: """
                kind: refresh
                windows: [ 01:00-02:00,
                """,
            says: """
                jobs.yaml:9:18: error: the [ that begins here is not closed, or a comma is missing in it
                    9 |         windows: [ 01:00-02:00,
                      |                  ^
                help: put a comma between the items, and a `]` at the end
                """),
        Case(
            "a colon in a command in braces",
            task: """
                kind: refresh
                settings: { run: echo a: b }
                """,
            says: """
                jobs.yaml:9:32: error: a second ': ' in one pair: text that contains a colon and a space needs quotes
                    9 |         settings: { run: echo a: b }
                      |                                ^
                help: write `run: 'echo a: b'`, or put a comma before `a` if a pair begins there
                """),
        Case(
            "a brace in a command in braces",
            task: """
                kind: refresh
                settings: { run: echo {a,b}, env: { A: b } }
                """,
            says: """
                jobs.yaml:9:31: error: text between brackets that contains { needs quotes
                    9 |         settings: { run: echo {a,b}, env: { A: b } }
                      |                               ^
                help: write `run: 'echo {a,b}'`
                """),
        Case(
            "a brace in a command that has quotes",
            task: """
                kind: refresh
                settings: { run: awk '{ print }' FILE }
                """,
            says: """
                jobs.yaml:9:31: error: text between brackets that contains { needs quotes
                    9 |         settings: { run: awk '{ print }' FILE }
                      |                               ^
                help: write `run: 'awk ''{ print }'' FILE'`
                """),
        Case(
            "a comment in a command in braces",
            task: """
                kind: refresh
                settings: { run: grep -c #include FILE }
                nice: 5
                """,
            says: """
                jobs.yaml:9:34: error: a comment begins at this #: text that contains ' #' needs quotes
                    9 |         settings: { run: grep -c #include FILE }
                      |                                  ^
                help: write `run: 'grep -c #include FILE'`
                """),
        Case(
            "a remark behind a brace that is not closed",
            task: """
                kind: refresh
                requires: { network: any # or none
                nice: 5
                """,
            says: """
                jobs.yaml:9:19: error: the { that begins here is not closed, or a comma is missing in it
                    9 |         requires: { network: any # or none
                      |                   ^
                help: put a comma between the pairs, and a `}` at the end
                """),
        Case(
            "a comma that is missing",
            task: """
                kind: refresh
                requires: { network: any idle: true }
                """,
            says: """
                jobs.yaml:9:19: error: the { that begins here is not closed, or a comma is missing in it
                    9 |         requires: { network: any idle: true }
                      |                   ^
                help: put a comma between the pairs, and a `}` at the end
                """),
        Case(
            "a comma too many",
            task: """
                kind: refresh
                windows: [ , ]
                """,
            says: """
                jobs.yaml:9:20: error: a value is missing here
                    9 |         windows: [ , ]
                      |                    ^
                help: write the value, or take out the comma or the bracket
                """),
        Case(
            "what is wrong above a fault of syntax is said too",
            task: """
                kind: refrsh
                repeat: 5
                nice: 'open
                """,
            says: """
                jobs.yaml:8:15: error: `kind` must be refresh, processing or continued, not 'refrsh'
                    8 |         kind: refrsh
                      |               ^~~~~~
                help: did you mean `refresh`?
                jobs.yaml:9:17: error: `repeat` takes a duration, not '5'
                    9 |         repeat: 5
                      |                 ^
                help: write `repeat: 5s`, `repeat: 5m` or `repeat: 5h`
                jobs.yaml:10:15: error: the quote ' that begins here is not closed on its line
                   10 |         nice: 'open
                      |               ^
                help: put a ' at the end of the text; inside of '…' a quote is written twice: `''`
                """),
    ]
}
