import Foundation
import TestSupport
import Testing

/// `secrets` of the app Command, through the real executables, under an app's default limits.
struct SecretsTests {
    private func write(_ settings: String, to workshop: Workshop) throws {
        try workshop.write(
            """
            version: 1
            apps:
              org.example.jobs:
                plugin: Command
                idle_after: never
                tasks:
                  a:
                    kind: processing
                    requires: { idle: false }
                    settings:
            \(settings.split(separator: "\n").map { "          " + $0 }.joined(separator: "\n"))

            """, to: "jobs.yaml")
    }

    /// Everything that programs and people read about a run, and the host's log.
    private func told(ofRunIn workshop: Workshop) throws -> String {
        try workshop.write(
            try String(contentsOfFile: workshop.folder + "/jobs.yaml", encoding: .utf8)
                .replacingOccurrences(of: "db.txt", with: "other.txt"), to: "new.yaml")
        var told = ""
        for arguments in [
            ["submit", "org.example.jobs.a"], ["run", "--once"], ["history"], ["history", "--json"],
            ["history", "--run", "1", "--json"], ["logs", "a"], ["night"], ["why", "org.example.jobs.a"],
            ["why", "org.example.jobs.a", "--json"], ["status", "--json"], ["diff", "new.yaml", "--json"],
        ] {
            let result = try workshop.lull(arguments)
            told += result.output + result.error
        }
        return told
    }

    /// The contents of the folders of secrets, below the state.
    private func kept(in workshop: Workshop) -> [String] {
        let all = FileManager.default.enumerator(atPath: workshop.state)?.compactMap { $0 as? String } ?? []
        return all.filter { $0.contains("/credentials/") }
    }

    private func files(in workshop: Workshop, hold text: String) throws -> Bool {
        try Program.run("/usr/bin/env", ["grep", "-raqs", text, workshop.state]).status == 0
    }

    @Test func `a command has its secrets as systemd gives them, and nothing else shows them`() throws {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write("hunter2-one\n", to: "db.txt")
        try write(
            #"""
            run: |
              cd "$CREDENTIALS_DIRECTORY" && ls -m && cat db && stat -Lc 'mode %a %s' db && stat -c 'folder %a' .
              echo "has ${#TOKEN}"; sh -c 'echo "token $TOKEN" >&2; cat db >&2'; exit 3
            secrets:
              db: { file: db.txt }
              token: { command: "echo hunter$((1+1))-twenty; echo hunter$((1+1)) >&2", env: TOKEN }
            """#, to: workshop)
        let check = try workshop.lull("check")
        #expect(check.status == 0, "\(check.output)\(check.error)")
        let told = try told(ofRunIn: workshop)
        for words in [
            "db, token", "mode 400 12", "folder 700", "has 14", "token ***", "exit code 3",
        ] { #expect(told.contains(words), "\(words): \(told)") }
        #expect(!told.contains("hunter2") && kept(in: workshop).isEmpty)
        #expect(try !files(in: workshop, hold: "hunter2"))
    }

    @Test func `a secret that can't be had fails the run with its name, place and remedy`() throws {
        let workshop = try Workshop()
        try workshop.link("Command")
        try write("run: echo begun\nsecrets: { db: { file: db.txt } }", to: workshop)
        let told = try told(ofRunIn: workshop)
        #expect(told.contains("secret \"db\": db.txt: the file is not there. Make it"), "\(told)")
        #expect(!told.contains("begun\n"))
    }

    @Test func `of a worker that was killed only links are left, and the next run removes them`() throws {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write("hunter2-one\n", to: "db.txt")
        let secrets = "\nsecrets: { db: { file: db.txt } }"
        try write("run: 'cat \"$CREDENTIALS_DIRECTORY/db\"; kill -9 $PPID; sleep 60'" + secrets, to: workshop)
        _ = try told(ofRunIn: workshop)
        let left = kept(in: workshop)
        #expect(left.count == 2 && left.contains { $0.hasSuffix("/db") }, "\(left)")
        for name in left where name.hasSuffix("/db") {
            #expect(FileManager.default.contents(atPath: workshop.state + "/" + name) == nil)
        }
        #expect(try !files(in: workshop, hold: "hunter2"))
        try write("run: echo well" + secrets, to: workshop)
        _ = try told(ofRunIn: workshop)
        #expect(kept(in: workshop).isEmpty)
    }

    private static var hasLandlock: Bool {
        let status = try? Workshop().lull("status", "--json")
        return status?.output.contains("by Landlock") ?? false
    }

    /// The two tasks wait for each other at pipes.
    @Test(.enabled(if: hasLandlock, "without Landlock an app of the same user may trace another"))
    func `another app of the same user can't open a run's secret`() throws {
        let workshop = try Workshop()
        try workshop.link("Command")
        try workshop.write("hunter2-one\n", to: "db.txt")
        let (ask, done) = (workshop.folder + "/ask", workshop.folder + "/done")
        for pipe in [ask, done] { try #require(mkfifo(pipe, 0o666) == 0 && chmod(pipe, 0o666) == 0) }
        let user = geteuid() == 0 ? "nobody" : "host"
        try workshop.write(
            """
            version: 1
            defaults: { user: \(user), idle_after: never, requires: { idle: false } }
            apps:
              org.example.own:
                plugin: Command
                tasks:
                  a:
                    kind: processing
                    settings:
                      run: 'readlink $CREDENTIALS_DIRECTORY/db > \(ask); read x < \(done); wc -c < $CREDENTIALS_DIRECTORY/db'
                      secrets: { db: { file: db.txt } }
              org.example.other:
                plugin: Command
                tasks:
                  b:
                    kind: processing
                    settings: { run: 'read link < \(ask); cat $link; echo "read $?"; echo > \(done)' }

            """, to: "jobs.yaml")
        for task in ["org.example.own.a", "org.example.other.b"] { try workshop.lull("submit", task) }
        let pass = try workshop.lull("run", "--once")
        #expect(pass.status == 0, "\(pass.output)\(pass.error)")
        let own = try workshop.lull("logs", "org.example.own.a").output
        let other = try workshop.lull("logs", "org.example.other.b")
        #expect(own.contains("12\n"), "\(own)")
        let said = other.output + other.error
        #expect(said.contains("read 1") && !said.contains("hunter2"), "\(said)")
    }
}
