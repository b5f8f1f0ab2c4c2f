import Foundation
import TestSupport
import Testing

/// Files that an attacker has prepared for their reader (`docs/attacks.md`): Lull refuses each at once, with a sentence, and no
/// control sequence in them reaches the terminal.
struct PreparedInputTests {
    private static func manifest(_ text: String) -> Data { Data(("version: 1\n" + text).utf8) }
    private static let task = "idle_after: never\n    tasks: { x: { kind: processing } }\n"

    /// The name, the content, and words of the refusal.
    static let manifests: [(name: String, content: Data, says: String)] = [
        (
            "aliases",
            manifest(
                "a: &a [x, x, x, x, x, x, x, x, x]\n"
                    + (1...9).map {
                        "b\($0): &b\($0) [*\($0 == 1 ? "a" : "b\($0 - 1)"), *\($0 == 1 ? "a" : "b\($0 - 1)")]\n"
                    }
                    .joined() + "apps: *b9\n"), "unknown key 'a'"
        ),
        ("depth", manifest("apps: " + String(repeating: "[", count: 100_000)), "more than 64 levels"),
        (
            "folders",
            manifest("apps:\n" + (1..<2000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()),
            "is not an app identifier"
        ),
        ("wide", Data([0xFF, 0xFE]) + Data("version: 1\n".utf8), "UTF-16"),
        ("merge", manifest("<<: *x\napps: {}\n"), "the merge key '<<'"),
        ("tag", Data("!!python/object:os.system\nversion: 1\n".utf8), "is not part of a manifest"),
        ("nul", manifest("apps:\n  com.example\0.A: {}\n"), "a NUL byte"),
        (
            "escape", manifest("apps:\n  com.example.A:\n    plugin: \u{1B}[2J\n"),
            "a control character, U+001B"
        ),
        ("device", manifest("include: [/dev/zero]\napps: {}\n"), "error:"),
        ("waits", manifest("include: [pipe]\napps: {}\n"), "error:"),
        ("memory", manifest("include: [/proc/self/mem]\napps: {}\n"), "error:"),
        ("piped", manifest("apps:\n  com.example.A:\n    plugin: ./pipe\n    \(task)"), "is not a file"),
        ("zeros", manifest("apps:\n  com.example.A:\n    plugin: /dev/zero\n    \(task)"), "is not a file"),
    ]

    @Test func `a prepared manifest is refused at once`() throws {
        let workshop = try Workshop()
        try #require(mkfifo(workshop.folder + "/pipe", 0o600) == 0)
        for (name, content, says) in Self.manifests {
            let path = "\(workshop.folder)/\(name).yaml"
            try #require(FileManager.default.createFile(atPath: path, contents: content))
            let result = try run(["check", path], in: workshop)
            #expect(result.status == 1 && result.error.contains(says), "\(name): \(result.error)")
            #expect(!(result.output + result.error).contains("\u{1B}"), "\(name)")
        }
    }

    @Test(arguments: ["pipe", "/dev/zero", "/proc/self/mem", ".", "sparse", "jobs.yaml"])
    func `what is no such file is refused by all who read files`(file: String) throws {
        let workshop = try Workshop()
        try #require(mkfifo(workshop.folder + "/pipe", 0o600) == 0)
        try #require(FileManager.default.createFile(atPath: workshop.folder + "/sparse", contents: nil))
        try #require(truncate(workshop.folder + "/sparse", 1 << 40) == 0)
        try workshop.write(
            "* * \u{1B}[2J\u{202E} * *\n@every 5m x\n99999999999999999999 * * * * y\n", to: "jobs.yaml")
        for command in [["check"], ["history", "import"], ["import", "crontab"], ["plugin", "check"]] {
            let result = try run(command + [file], in: workshop)
            #expect(result.status == 1, "\(command): \(result.output)\(result.error)")
            let said = result.output + result.error
            #expect(
                !said.isEmpty && !said.contains("NSError") && !said.contains("Error Domain"),
                "\(command): \(said)")
            #expect(
                !said.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" }, "\(command): \(said)")
        }
    }

    @Test func `odd words and surroundings do not reach the terminal`() throws {
        let workshop = try Workshop()
        try workshop.write("version: 1\napps: {}\n", to: "jobs.yaml")
        for arguments in [
            ["launch", "com.exam\u{1B}[2J\u{202E}ple.x"], ["used", "a\nb"], ["why", "\u{9B}2J"],
            ["history", "--task", "\u{1B}]0;x\u{7}"],
            ["cost", "a\u{202E}b"], ["history", "\u{1B}c"], ["check", "\u{202E}x.yaml"],
        ] {
            let result = try run(arguments, in: workshop)
            let said = (result.output + result.error).unicodeScalars
            #expect(
                !said.contains { ["\u{1B}", "\u{9B}", "\u{7}", "\u{202E}"].contains($0) },
                "\(arguments): \(said)")
        }
        for surroundings in [
            "TZ=../../../etc/passwd", "COLUMNS=99999999999999999999", "TERM=\u{1B}", "LANG=\u{1B}",
        ] {
            let result = try run(["history"], in: workshop, surroundings)
            #expect(
                result.status == 0 && !result.output.contains("\u{1B}"), "\(surroundings): \(result.error)")
        }
    }

    /// No file may keep a command busy for half a minute.
    private func run(_ arguments: [String], in workshop: Workshop, _ surroundings: String = "LULL_TEST=1")
        throws
        -> Program.Result
    {
        let lull = Workshop.products.appendingPathComponent("lull").path
        let state = arguments[0] == "check" || arguments[0] == "import" ? [] : ["--state", workshop.state]
        return try Program.run(
            "/usr/bin/env", [surroundings, "timeout", "600", lull] + arguments + state, in: workshop.folder)
    }
}
