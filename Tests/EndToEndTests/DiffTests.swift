import Foundation
import TestSupport
import Testing

/// `lull diff` against the manifest that a host has in force.
struct DiffTests {
    private static let old = """
        version: 1
        apps:
          com.example.App:
            plugin: Tasks
            idle_after: never
            tasks:
              talk: { kind: processing, repeat: 1h, requires: { idle: false } }
              succeed: { kind: processing, repeat: 2h, requires: { idle: false } }

        """

    @Test func `a diff says what would change, and what becomes of requests`() throws {
        let workshop = try Workshop(tasks: Self.old)
        let first = try workshop.lull("diff")
        #expect(first.status == 1, "\(first.error)")
        for words in [
            "+ com.example.App (jobs.yaml:3): plugin", "all of jobs.yaml is new, 1 app and 2 tasks added.",
        ] {
            #expect(first.output.contains(words), "no '\(words)' in\n\(first.output)")
        }
        #expect(try workshop.lull("run", "--once").status == 0)

        let same = try workshop.lull("diff")
        #expect(same.status == 0, "\(same.output)\(same.error)")
        #expect(same.output.contains("changes nothing"))

        try workshop.write(
            Self.old.replacingOccurrences(of: "repeat: 1h", with: "repeat: 3h")
                .replacingOccurrences(of: "succeed: ", with: "crash: "), to: "jobs.yaml")
        let diff = try workshop.lull("diff")
        #expect(diff.status == 1, "\(diff.error)")
        for line in [
            "~ com.example.App (jobs.yaml:3)", "  ~ com.example.App.talk (jobs.yaml:7)",
            "      repeat: 1h -> 3h (jobs.yaml:7)",
            "  + com.example.App.crash (jobs.yaml:8): processing, repeat 2h",
            "  - com.example.App.succeed: processing, repeat 2h",
            "1 task added, 1 task removed, 1 task changed.", "of com.example.App.succeed is given up:",
            "of com.example.App.talk is replaced:",
        ] {
            #expect(diff.output.contains(line), "no '\(line)' in\n\(diff.output)")
        }
        let json = try workshop.lull("diff", "--json")
        #expect(json.status == 1)
        #expect(json.output.contains("\"is_same\" : false"), "\(json.output)")
        // `lull diff` has changed nothing.
        #expect(try workshop.lull("diff").output == diff.output)
    }

    @Test func `in a folder without a manifest it is said whose is looked at`() throws {
        let workshop = try Workshop(tasks: Self.old)
        #expect(try workshop.lull("check", "--no-plugins").error.isEmpty)
        #expect(try workshop.lull("run", "--once").status == 0)
        for command in [["check", "--no-plugins"], ["diff"], ["simulate"]] {
            let result = try workshop.elsewhere(command)
            #expect(result.status == 0, "\(result.output)\(result.error)")
            #expect(
                result.error.hasPrefix("note: there is no jobs.yaml here, so this is about ")
                    && result.error.contains("/jobs.yaml, which the last host of "), "\(result.error)")
        }
    }

    @Test func `two files are compared without a host, and one that is wrong is refused`() throws {
        let workshop = try Workshop()
        try workshop.compile("Tasks", as: "Tasks")
        try workshop.write(Self.old, to: "old.yaml")
        try workshop.write("# the same\n" + Self.old, to: "new.yaml")
        #expect(try workshop.lull("diff", "new.yaml", "--against", "old.yaml").status == 0)
        try workshop.write(Self.old.replacingOccurrences(of: "kind", with: "knid"), to: "new.yaml")
        let wrong = try workshop.lull("diff", "new.yaml", "--against", "old.yaml")
        #expect(wrong.status == 2)
        #expect(wrong.error.contains("new.yaml:7:"), "\(wrong.error)")
    }
}
