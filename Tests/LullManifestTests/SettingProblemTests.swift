import Testing

@testable import LullManifest

/// Settings become JSON, or say why not.
struct SettingProblemTests {
    @Test(arguments: cases)
    func `each is refused with its place and its remedy`(_ item: Case) { item.check() }

    static let cases: [Case] = [
        Case(
            "a number that JSON does not have",
            task: """
                kind: refresh
                settings: { a: .inf }
                """,
            says: """
                jobs.yaml:9:24: error: '.inf' is a number in YAML that JSON does not have
                    9 |         settings: { a: .inf }
                      |                        ^~~~
                help: put it in quotes to pass it on as text: `".inf"`
                """),
        Case(
            "a number with a leading zero",
            task: """
                kind: refresh
                settings: { mode: 0644 }
                """,
            says: """
                jobs.yaml:9:27: error: '0644' means different things in different versions of YAML
                    9 |         settings: { mode: 0644 }
                      |                           ^~~~
                help: write `"0644"` for the text, or `644` for the number
                """),
        Case(
            "a number beyond 64 bits",
            task: """
                kind: refresh
                settings: { a: 9223372036854775808, b: 1e400 }
                """,
            says: """
                jobs.yaml:9:24: error: the number '9223372036854775808' does not fit 64 bits
                    9 |         settings: { a: 9223372036854775808, b: 1e400 }
                      |                        ^~~~~~~~~~~~~~~~~~~
                help: put it in quotes to pass it on as text: `"9223372036854775808"`
                jobs.yaml:9:48: error: the number '1e400' does not fit 64 bits
                    9 |         settings: { a: 9223372036854775808, b: 1e400 }
                      |                                                ^~~~~
                help: put it in quotes to pass it on as text: `"1e400"`
                """),
        Case(
            "the key lull",
            task: """
                kind: refresh
                settings: { lull: 1 }
                """,
            says: """
                jobs.yaml:9:21: error: the key 'lull' in `settings` is lull's own
                    9 |         settings: { lull: 1 }
                      |                     ^~~~
                help: choose another name
                """),
        Case(
            "a key twice",
            task: """
                kind: refresh
                settings:
                  a: { x: 1,
                       x: 2 }
                """,
            says: """
                jobs.yaml:11:16: error: the key 'x' appears twice; the first is on line 10
                   11 |                x: 2 }
                      |                ^
                help: keep one of the two
                """),
        Case(
            "a list",
            task: """
                kind: refresh
                settings: [1]
                """,
            says: """
                jobs.yaml:9:19: error: `settings` takes keys and values, not a list
                    9 |         settings: [1]
                      |                   ^~~
                help: write, for example, `settings: { feed: feed.json }`
                """),
    ]
}
