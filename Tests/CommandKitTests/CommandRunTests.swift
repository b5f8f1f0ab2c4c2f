import Foundation
import Glibc
import Testing

@testable import CommandKit

@Suite struct CommandRunTests {
    let folder = try? TemporaryFolder()

    func settings(_ script: String, _ change: (inout CommandSettings) -> Void = { _ in }) -> CommandSettings {
        var settings = CommandSettings(run: .shell(script))
        change(&settings)
        return settings
    }

    /// Runs to the end; what was printed is whole only when nobody holds the output any more.
    func run(
        _ settings: CommandSettings, inherited: [String: String] = [:]
    ) async throws -> (CommandOutcome, output: String) {
        let output = try OutputPipe()
        let command = CommandRun(
            settings, inherited: inherited, standardOutput: output.writer, standardError: output.writer
        )
        let outcome = try await command()
        return (outcome, output: await output.rest())
    }

    @Test func `output and errors come through, and 0 is success`() async throws {
        let (outcome, output) = try await run(settings("echo out; echo err >&2"))
        #expect(output == "out\nerr\n")
        #expect(outcome.isSuccess)
        #expect(outcome.message == "the command exited with code 0.")
    }

    @Test func `another exit code is a failure unless it is listed`() async throws {
        let (failure, _) = try await run(settings("exit 24"))
        #expect(!failure.isSuccess)
        #expect(failure.message == "the command failed with exit code 24.")
        let (success, _) = try await run(settings("exit 24") { $0.success = [0, 24] })
        #expect(success.isSuccess)
        let (other, _) = try await run(settings("exit 0") { $0.success = [24, 1] })
        #expect(other.message == "the command failed with exit code 0; `success` takes 1, 24.")
    }

    @Test func `a command ended by a signal is a failure that names it`() async throws {
        let (outcome, _) = try await run(settings("kill -USR1 $$"))
        #expect(outcome.ending == .signaled(SIGUSR1))
        #expect(outcome.message == "the command was ended by SIGUSR1.")
    }

    @Test func `a list is run without a shell`() async throws {
        var settings = CommandSettings(run: .arguments(["printf", "%s|", "$HOME", "a b"]))
        #expect(try await run(settings).output == "$HOME|a b|")
        settings.run = .arguments(["/bin/echo", "x"])
        #expect(try await run(settings).output == "x\n")
    }

    @Test func `whose process it is, is known without an environment`() throws {
        let entry = try #require(getpwuid(geteuid())).pointee
        #expect(CommandRun.account["HOME"] == String(cString: entry.pw_dir))
        #expect(CommandRun.account["LOGNAME"] == String(cString: entry.pw_name))
    }

    @Test func `a tilde is the home that the command sees`() async throws {
        let home = try #require(folder).path
        let inherited = ["HOME": "/nowhere"]
        let (_, output) = try await run(
            settings("pwd") {
                $0.folder = "~"
                $0.environment = ["HOME": home]
            }, inherited: inherited)
        #expect(output == home + "\n")
        await #expect(throws: CommandError.noFolder("/nowhere/at/all")) {
            try await run(settings("pwd") { $0.folder = "~/at/all" }, inherited: inherited)
        }
    }

    @Test func `the environment is small, and settings add to it`() async throws {
        let inherited = ["HOME": "/home/example", "LANG": "C.UTF-8", "SECRET": "x", "PATH": "/odd"]
        let (_, output) = try await run(
            settings("env") { $0.environment = ["A": "1 2"] }, inherited: inherited)
        var lines = Set(output.split(separator: "\n").map(String.init))
        // What the shell itself sets.
        lines = lines.filter {
            !$0.hasPrefix("PWD=") && !$0.hasPrefix("_=") && !$0.hasPrefix("SHLVL=")
                && !$0.hasPrefix("OLDPWD=")
        }
        #expect(
            lines == [
                "A=1 2", "HOME=/home/example", "LANG=C.UTF-8", "PATH=/usr/local/bin:/usr/bin:/bin",
                "SHELL=/bin/sh",
            ]
        )
        #expect(
            try await run(settings("echo $PATH") { $0.environment = ["PATH": "/bin"] }).output == "/bin\n")
    }

    @Test func `it runs in its folder`() async throws {
        let path = try #require(folder).path
        let (_, output) = try await run(settings("pwd -P") { $0.folder = path })
        #expect(output.hasSuffix(path.split(separator: "/").last.map { $0 + "\n" } ?? "?"))
    }

    @Test func `standard input is empty, or what the settings say`() async throws {
        #expect(try await run(settings("cat; echo end")).output == "end\n")
        #expect(try await run(settings("cat; echo end") { $0.input = "in\n" }).output == "in\nend\n")
        // More than a pipe holds, for a command that reads none of it.
        let (outcome, _) = try await run(
            settings("exit 0") { $0.input = String(repeating: "x", count: 1 << 20) })
        #expect(outcome.isSuccess)
    }

    @Test func `a program that is not there is a sentence`() async throws {
        let settings = CommandSettings(run: .arguments(["no-such-program"]))
        let error = await #expect(throws: CommandError.self) { try await run(settings) }
        #expect(error == .notFound(program: "no-such-program", path: "/usr/local/bin:/usr/bin:/bin"))
        let path = CommandSettings(run: .arguments(["/no/such/program"]))
        let other = await #expect(throws: CommandError.self) { try await run(path) }
        #expect(other?.description.contains("command \"/no/such/program\" was not found") == true)
    }

    @Test func `a program that the shell does not find is told as such`() async throws {
        let (outcome, output) = try await run(settings("no-such-program"))
        #expect(outcome.ending == .exited(127))
        #expect(outcome.message.contains("the shell did not find a program"))
        #expect(output.contains("no-such-program"))
    }

    @Test func `a folder that is not there is a sentence`() async throws {
        let error = await #expect(throws: CommandError.self) {
            try await run(settings("true") { $0.folder = "/no/such/folder" })
        }
        #expect(error == .noFolder("/no/such/folder"))
        await #expect(throws: CommandError.noFolder("/dev/null")) {
            try await run(settings("true") { $0.folder = "/dev/null" })
        }
    }

    @Test func `children left behind are killed when the command ends`() async throws {
        // `rest` would wait for ever if the child lived on, since it holds the output.
        let (outcome, output) = try await run(settings("sleep 100000 & echo started"))
        #expect(output == "started\n")
        #expect(outcome.isSuccess)
        #expect(outcome.leftBehind == 1)
        #expect(outcome.message.contains("1 of its processes were still running"))
    }
}

@Suite struct CommandExpirationTests {
    /// Starts the command, cancels it once it has printed a line, and returns how it ended and what it said
    /// after.
    func cancel(_ script: String, grace: Duration) async throws -> (CommandOutcome, output: String) {
        let output = try OutputPipe()
        var settings = CommandSettings(run: .shell(script))
        settings.grace = grace
        let command = CommandRun(
            settings, inherited: [:], standardOutput: output.writer, standardError: output.writer
        )
        let work = Task { try await command() }
        let line = await output.some()
        #expect(line == "ready\n")
        work.cancel()
        return (try await work.value, output: await output.rest())
    }

    @Test func `expiration sends SIGTERM, and the command may clean up`() async throws {
        let script = "trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done"
        let (outcome, output) = try await cancel(script, grace: .seconds(60))
        // The shell may also say that its `sleep` was ended.
        #expect(output.hasSuffix("bye\n"))
        #expect(outcome.ending == .exited(0))
        #expect(outcome.isCancelled)
        #expect(!outcome.isSuccess)
        #expect(outcome.message == "the command exited with code 0, because the task expired.")
    }

    @Test func `SIGTERM reaches the whole process group`() async throws {
        let (outcome, output) = try await cancel("sleep 100000 & echo ready; wait", grace: .seconds(60))
        #expect(output == "")
        #expect(outcome.ending == .signaled(SIGTERM))
        #expect(outcome.leftBehind == 0)
    }

    @Test func `a child that cleans up has the grace too`() async throws {
        let script = """
            sh -c 'trap "sleep 0.05; echo child; exit" TERM; echo ready; while :; do sleep 0.01; done' & wait
            """
        let (outcome, output) = try await cancel(script, grace: .seconds(60))
        #expect(output.hasSuffix("child\n"))
        #expect(outcome.ending == .signaled(SIGTERM))
        #expect(outcome.leftBehind == 0)
    }

    @Test func `who ignores SIGTERM is killed after the grace, with all its children`() async throws {
        let script = "trap '' TERM; sh -c 'sleep 100000 & wait' & echo ready; while :; do sleep 0.01; done"
        let (outcome, _) = try await cancel(script, grace: .milliseconds(10))
        #expect(outcome.ending == .signaled(SIGKILL))
        #expect(outcome.message.contains("SIGKILL, because the task expired"))
    }

    @Test func `a run that is cancelled before it begins starts nothing`() async throws {
        let output = try OutputPipe()
        let command = CommandRun(
            CommandSettings(run: .shell("echo started")), inherited: [:],
            standardOutput: output.writer, standardError: output.writer
        )
        let work = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await command()
        }
        await #expect(throws: CancellationError.self) { try await work.value }
        #expect(await output.rest() == "")
    }
}
