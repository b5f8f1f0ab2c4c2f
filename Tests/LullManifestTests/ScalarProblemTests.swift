import Testing

@testable import LullManifest

/// Text that YAML reads as something else is recognised as the text that was meant.
struct ScalarProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "an escape that there is not",
            task: #"""
                kind: refresh
                description: "\d+"
                """#,
            says: #"""
                jobs.yaml:9:23: error: there is no '\d' in text in double quotes
                    9 |         description: "\d+"
                      |                       ^~
                help: in single quotes a \ is a \: `'…'`; in double quotes it is written as `\\`
                """#),
        Case(
            "text that begins with @",
            task: """
                kind: refresh
                description: @home
                """,
            says: """
                jobs.yaml:9:22: error: text without quotes can't begin with '@'
                    9 |         description: @home
                      |                      ^
                help: put the text in quotes: `'…'`
                """),
        Case(
            "text that begins with a brace",
            task: """
                kind: refresh
                description: } x
                """,
            says: """
                jobs.yaml:9:22: error: text without quotes can't begin with '}'
                    9 |         description: } x
                      |                      ^
                help: put the text in quotes: `'…'`
                """),
        Case(
            "text that begins with *",
            task: """
                kind: refresh
                description: *.log
                """,
            says: """
                jobs.yaml:9:22: error: '*' begins an alias, but no name follows
                    9 |         description: *.log
                      |                      ^
                help: put the text in quotes: `'…'`
                """),
        Case(
            "text that begins with &",
            task: """
                kind: refresh
                description: & more
                """,
            says: """
                jobs.yaml:9:22: error: '&' begins an anchor, but no name follows
                    9 |         description: & more
                      |                      ^
                help: put the text in quotes: `'…'`, or write a name after the `&`
                """),
        Case(
            "a list on the line of its key",
            task: """
                kind: refresh
                windows: - 01:00-02:00
                """,
            says: """
                jobs.yaml:9:18: error: a list can't begin with '- ' on the line of its key
                    9 |         windows: - 01:00-02:00
                      |                  ^
                help: begin it on the next line, deeper than the key, or write `[ …, … ]`
                """),
        Case(
            "a key among the items of a list",
            task: """
                kind: refresh
                windows:
                  - 01:00-02:00
                  nice: 5
                """,
            says: """
                jobs.yaml:11:11: error: a list's item must begin with '- ' here
                   11 |           nice: 5
                      |           ^
                help: write `- ` before the item, or indent the line less if the list has ended
                """),
        Case(
            "a colon without a key",
            task: """
                kind: refresh
                : 5
                """,
            says: """
                jobs.yaml:9:9: error: a '?' or ':' in a place where no key can begin
                    9 |         : 5
                      |         ^
                help: write `key: value`
                """),
        Case(
            "words after |",
            task: """
                kind: refresh
                description: |x
                  text
                """,
            says: """
                jobs.yaml:9:23: error: what follows '|' or '>' on its line is not part of YAML
                    9 |         description: |x
                      |                       ^
                help: begin the text on the next line
                """),
        Case(
            "a directive",
            """
            %YAML 2.0
            ---
            version: 1

            """,
            says: """
                jobs.yaml:1:1: error: a line that begins with '%' is a YAML directive, but this one is unknown
                    1 | %YAML 2.0
                      | ^~~~~~~~~
                help: take it out
                """),
        Case(
            "text after the end",
            """
            version: 1
            apps: {}
            ...
            more

            """,
            says: """
                jobs.yaml:2:1: warning: the manifest has no apps: nothing will run
                    2 | apps: {}
                      | ^~~~
                help: list them under `apps:`
                jobs.yaml:4:1: error: the document has ended, and more text follows
                    4 | more
                      | ^~~~
                help: take it out
                """),
    ]
}
