import Foundation
import TestSupport
import Testing

/// The output of `--json` for programs, also where a command fails.
struct JSONAnswerTests {
    private static let manifest = """
        version: 1
        apps:
          com.example.A:
            plugin: Command
            idle_after: never
            tasks:
              t: { kind: processing, repeat: 1d, windows: ["00:00-00:01"], settings: { run: "true" } }
        """

    private func object(_ text: String) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }

    private func workshop() throws -> Workshop {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write(Self.manifest, to: "jobs.yaml")
        return workshop
    }

    private static let refused: [String: Int32] = [
        "why nosuch --json": 1, "submit nosuch --json": 1, "history import nosuch.jsonl --json": 1,
        "stauts --json": 64, "status --json --nosuch": 64, "pause --json t --until soon": 64,
        "simulate nosuch.yaml --json": 1, "status --json --manifest bad.yaml": 1,
    ]

    @Test(arguments: refused.keys.sorted())
    func `an error is an object, with the exit code that it has in words`(line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let code = try #require(Self.refused[line])
        let workshop = try workshop()
        try workshop.write("version: 1\napps: [\n", to: "bad.yaml")
        let result = try workshop.lull(words)
        #expect(result.status == code, "\(result.error)")
        let error = try #require(try object(result.output)["error"] as? [String: Any])
        #expect((error["message"] as? String)?.isEmpty == false)
        #expect(error["exit_code"] as? Int == Int(code))
        let plain = try workshop.lull(words.filter { $0 != "--json" })
        #expect(plain.status == code && plain.output.isEmpty && !plain.error.isEmpty)
    }

    @Test func `an order says what it made, until when, and whether anything was done`() throws {
        let workshop = try workshop()
        func told(_ words: String...) throws -> [String: Any] {
            try object(try workshop.lull(words + ["--json"]).output)
        }
        let first = try told("submit", "t")
        #expect(first["request"] as? Int == 1 && first["done"] as? Bool == true)
        #expect((first["message"] as? String)?.hasPrefix("Accepted as request 1.") == true)
        let pause = try told("pause", "t", "--until", "2999-01-01 08:00")
        #expect((pause["until"] as? String)?.hasPrefix("2999-01-01T") == true)
        #expect(try told("resume", "t")["done"] as? Bool == true)
        #expect(try told("resume", "t")["done"] as? Bool == false)
        #expect(try told("disable", "t")["done"] as? Bool == true)
        #expect(try told("disable", "t")["done"] as? Bool == false)
    }
}
