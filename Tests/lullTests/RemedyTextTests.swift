import LullModel
import Testing

@testable import LullCommands
@testable import lull

/// Commands in remedies are for the state that was asked about.
struct RemedyTextTests {
    @Test(arguments: [
        (
            "launch it with `lull launch com.example.A.b`",
            "launch it with `lull launch com.example.A.b --state st`"
        ),
        (
            "`lull check` shows them; `lull why T` too.",
            "`lull check --state st` shows them; `lull why T --state st` too."
        ),
        ("set `repeat: 1d` in `jobs.yaml`", "set `repeat: 1d` in `jobs.yaml`"),
        (
            "`lull schema`, `lull plugin new` and `lull --help`",
            "`lull schema`, `lull plugin new` and `lull --help`"
        ),
        ("`lull run --state other`", "`lull run --state other`"),
        ("a lone ` and no more", "a lone ` and no more"),
        ("`lull run", "`lull run"), ("", ""),
    ])
    func `what reads a state names it`(text: String, expected: String) {
        #expect(RemedyText.naming("st", in: text) == expected)
    }

    @Test func `a path is one word of a shell`() {
        #expect(RemedyText.naming("/a b/it's", in: "`lull run`") == #"`lull run --state '/a b/it'\''s'`"#)
        #expect(RemedyText.naming("", in: "`lull run`") == "`lull run --state ''`")
    }

    @Test func `without --state it stays as it is`() {
        let phrases = Phrases(now: .distantPast, zone: .utc)
        #expect(phrases.remedy("`lull run`") == "`lull run`")
    }

    @Test func `status begins with what concerns the whole host`() {
        var report = StatusReport(time: .distantPast, conditions: nil, apps: [], tasks: [])
        report.remarks = ["No host is running on st. Start one with `lull run`."]
        let phrases = Phrases(now: .distantPast, zone: .utc, state: "st")
        let text = StatusText(report: report, phrases: phrases).rendered(for: Terminal(columns: 100))
        #expect(text.hasPrefix("No host is running on st. Start one with `lull run --state st`.\n\n"))
    }
}
