import Foundation
import TestSupport
import Testing

/// The plugin is built with gcc outside of SwiftPM, as an author of C plugins does, and loaded by a small
/// host.
@Suite struct RepoRefreshTests {
    let folder: TemporaryFolder
    let host: FakeHost

    init() async throws {
        folder = try TemporaryFolder()
        host = try await FakeHost(in: folder.path)
    }

    /// A bare repository with one commit, and a clone of it that has yet to see a second, on branch `news`.
    func clone(_ name: String) async throws -> String {
        let (bare, work, clone) = (
            folder.path + "/\(name).git", folder.path + "/\(name)-work", folder.path + "/" + name
        )
        try await FakeHost.check("git", ["init", "-q", "--bare", "-b", "main", bare])
        try await FakeHost.check("git", ["clone", "-q", bare, work])
        try await commit(in: work, branch: "main")
        try await commit(in: work, branch: "old")
        try await FakeHost.check("git", ["clone", "-q", bare, clone])
        try await FakeHost.check("git", ["-C", work, "push", "-q", "origin", ":old"])
        try await commit(in: work, branch: "news")
        return clone
    }

    func commit(in work: String, branch: String) async throws {
        try await FakeHost.check(
            "git",
            [
                "-C", work, "-c", "user.name=Example", "-c", "user.email=example@example.org",
                "commit", "-q", "--allow-empty", "-m", "Change",
            ]
        )
        try await FakeHost.check("git", ["-C", work, "push", "-q", "origin", "HEAD:refs/heads/" + branch])
    }

    func branches(of clone: String) async throws -> [String] {
        let program = try RunningProgram(
            "/usr/bin/env",
            ["git", "-C", clone, "for-each-ref", "--format=%(refname:lstrip=3)", "refs/remotes/origin"]
        )
        return await program.output().split(separator: "\n").map(String.init).filter { $0 != "HEAD" }
    }

    /// Lets the clone's next fetch print "hanging" and then wait for what never comes.
    func hang(_ clone: String, stubborn: Bool = false) async throws {
        try await FakeHost.check("mkfifo", [clone + "/never"])
        let script = try folder.file(
            "hang-\(UUID().uuidString).sh",
            (stubborn ? "trap '' TERM\n" : "") + "echo hanging >&2\nread line < '\(clone)/never'\n"
        )
        try await FakeHost.check("git", ["-C", clone, "config", "remote.origin.uploadpack", "sh " + script])
    }

    @Test func `it registers what is permitted, fetches, and prunes`() async throws {
        let clone = try await clone("one")
        #expect(try await branches(of: clone) == ["main", "old"])
        let output = try await host.run([clone])
        #expect(output.contains("register com.example.RepoRefresh.fetch\n"))
        #expect(output.contains("log 1 info: fetched \"\(clone)\" in "))
        #expect(output.contains("\nprint 1 error:  * [new branch]"), "git's own output is kept")
        #expect(output.hasSuffix("completed 1 true\n"))
        #expect(try await branches(of: clone) == ["main", "news"])
    }

    @Test func `one repository that fails doesn't keep the others, and fails the task`() async throws {
        let clone = try await clone("one")
        let missing = folder.path + "/missing"
        let plain = folder.path + "/plain"
        try await FakeHost.check("mkdir", [plain])
        let output = try await host.run([missing, plain, clone])
        #expect(
            output.contains(
                "log 1 error: repository \"\(missing)\" can't be entered: No such file or directory."))
        #expect(output.contains("print 1 error: fatal: "))
        #expect(output.contains("log 1 error: fetching \"\(plain)\" failed: git exited with code 128"))
        #expect(output.contains("log 1 info: fetched \"\(clone)\""))
        #expect(output.hasSuffix("completed 1 false\n"))
    }

    @Test func `a worker of ABI 1.0 is given what git prints as its own output`() async throws {
        let clone = try await clone("one")
        let output = try await host.run(isOld: true, [clone])
        #expect(output.contains("\n * [new branch]") && !output.contains("print 1"))
        #expect(output.contains("log 1 info: fetched \"\(clone)\""))
        #expect(output.hasSuffix("completed 1 true\n"))
    }

    @Test func `all that git prints is its run's, however much it is`() async throws {
        let clone = try await clone("one")
        let script = try folder.file(
            "loud.sh", "seq -f 'number %g' 100000 >&2\nexec git-upload-pack \"$@\"\n")
        try await FakeHost.check("git", ["-C", clone, "config", "remote.origin.uploadpack", "sh " + script])
        let lines = try await host.run([clone]).split(separator: "\n")
        let numbers = lines.compactMap { line in
            line.hasPrefix("print 1 error: number ") ? Int(line.dropFirst(22)) : nil
        }
        #expect(numbers == Array(1...100_000))
        #expect(lines.last == "completed 1 true")
    }

    @Test func `who has left git's group does not keep the run, and prints for none`() async throws {
        let clones = [try await clone("one"), try await clone("two")]
        try await FakeHost.check("mkfifo", [clones[0] + "/later"])
        let script = try folder.file(
            "leave.sh",
            """
            setsid sh -c "read line < '\(clones[0])/later'; echo late >&2" &
            exec git-upload-pack "$@"
            """)
        try await FakeHost.check(
            "git", ["-C", clones[0], "config", "remote.origin.uploadpack", "sh " + script])
        try await hang(clones[1])
        let running = try host.start(clones)
        let before = await running.output(until: "hanging")
        #expect(before.contains("log 1 info: fetched \"\(clones[0])\""))
        try Data("now\n".utf8).write(to: URL(fileURLWithPath: clones[0] + "/later"))
        #expect(await running.output(until: "late") == "late\n")
        try running.say("expire 1")
        #expect(await running.output().hasSuffix("completed 1 false\n"))
    }

    @Test func `an empty list is a failure that says what to write`() async throws {
        let output = try await host.run([])
        #expect(output.contains("log 1 error: there is no repository to fetch."))
        #expect(output.hasSuffix("completed 1 false\n"))
    }

    @Test func `several tasks run at once`() async throws {
        let clones = [try await clone("one"), try await clone("two")]
        let output = try await host.run(tasks: 8, clones)
        for task in 1...8 {
            #expect(output.components(separatedBy: "completed \(task) ").count == 2, "exactly once")
        }
        #expect(try await branches(of: clones[1]) == ["main", "news"])
    }

    @Test(arguments: [false, true])
    func `expiration ends git with its process group and skips the rest`(stubborn: Bool) async throws {
        let clones = [try await clone("one"), try await clone("two")]
        try await hang(clones[0], stubborn: stubborn)
        let running = try host.start(clones)
        _ = await running.output(until: "hanging")
        try running.say("expire 1")
        // Comes to its end only when nobody of the group holds the output any more.
        let output = await running.output()
        #expect(
            output.contains(
                "log 1 info: fetching \"\(clones[0])\" was stopped, because the run was told to end"))
        #expect(
            output.contains("log 1 info: \"\(clones[1])\" was not begun, because the run was told to end"))
        #expect(output.hasSuffix("completed 1 false\n"))
        #expect(try await branches(of: clones[1]) == ["main", "old"])
    }

    @Test func `an expiration ends its own task only`() async throws {
        let clone = try await clone("one")
        try await hang(clone)
        let running = try host.start(tasks: 2, [clone])
        var output = await running.output(until: "hanging")
        while output.components(separatedBy: "hanging").count < 3 {
            output += await running.output(until: "hanging")
        }
        for task in 1...2 {
            #expect(output.contains("print \(task) error: hanging\n"), "what git prints is its own run's")
        }
        try running.say("expire 2")
        let first = await running.output(until: "completed")
        #expect(first.contains("completed 2 false"))
        #expect(!first.contains("completed 1"))
        try running.say("expire 1")
        #expect(await running.output().contains("completed 1 false"))
    }
}
