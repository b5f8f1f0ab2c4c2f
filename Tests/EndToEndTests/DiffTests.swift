import Foundation
import Testing

/// `lull diff` against what a host has put in force.
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
        let workshop = try Workshop()
        try workshop.compile("Tasks", as: "Tasks")
        try workshop.write(Self.old, to: "jobs.yaml")
        let unknown = try workshop.lull("diff")
        #expect(unknown.status == 2)
        #expect(unknown.error.contains("--against"), "\(unknown.error)")
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
            "of com.example.App.talk is made anew:",
        ] {
            #expect(diff.output.contains(line), "no '\(line)' in\n\(diff.output)")
        }
        let json = try workshop.lull("diff", "--json")
        #expect(json.status == 1)
        #expect(json.output.contains("\"is_same\" : false"), "\(json.output)")
        // Nothing was changed by asking.
        #expect(try workshop.lull("diff").output == diff.output)
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
