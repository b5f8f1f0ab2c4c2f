import CCommandKit
import Foundation
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct CommandRunTests {
    let folder = try? TemporaryFolder()

    func run(
        _ script: String, inherited: [String: String] = [:],
        _ change: (inout Commands.Settings) -> Void = { _ in }
    ) async throws -> Heard {
        var settings = Commands.Settings(script)
        change(&settings)
        return try await Commands(inherited: inherited).run(settings)
    }

    @Test func `output and errors come through, and 0 is success`() async throws {
        let heard = try await run("echo out; echo err >&2")
        #expect(heard.text == "out\n" && heard.errorText == "err\n")
        #expect(heard.isSuccess)
        #expect(heard.message == "the command exited with code 0.")
    }

    @Test func `another exit code is a failure unless it is listed`() async throws {
        let failure = try await run("exit 24")
        #expect(!failure.isSuccess)
        #expect(failure.message == "the command failed with exit code 24.")
        #expect(try await run("exit 24") { $0.success = [0, 24] }.isSuccess)
        let other = try await run("exit 0") { $0.success = [24, 1] }
        #expect(other.message == "the command failed with exit code 0; `success` takes 1, 24.")
    }

    @Test func `a command ended by a signal is a failure that names it`() async throws {
        let heard = try await run("kill -USR1 $$")
        #expect(heard.signal == SIGUSR1 && !heard.isSuccess)
        #expect(heard.message == "the command was ended by SIGUSR1.")
    }

    @Test func `what it was launched for is in its environment`() async throws {
        let origin = #"""
            {"count":3,"first":1,"last":2,"on":["path","after"],"outcome":"failed","run":7,"task":"com.example.App.fetch",
            "paths":["/srv/in/a b.csv","/srv/in/two\nlines","/srv/in/ä"],"missed":true}
            """#
        let names = ["", "_COUNT", "_PATH", "_PATHS", "_TASK", "_RUN", "_OUTCOME", "_MISSED", "_USER"]
        let script = "printf '%s|'" + names.map { " \"$LULL_EVENT\($0)\"" }.joined()
        let commands = try Commands()
        let begun = try commands.begin(.init(script), origin: origin)
        #expect(
            await Heard(of: begun.news).text
                == "path after|3|/srv/in/a b.csv|/srv/in/a b.csv\n/srv/in/ä|com.example.App.fetch|7|failed|true||"
        )
        for odd in ["", "{}", "[1]", "{", #"{"paths":[],"on":7,"task":null}"#] {
            let plain = try commands.begin(.init("env | grep -c ^LULL_EVENT; true"), origin: odd)
            #expect(["0\n", "1\n", "2\n"].contains(await Heard(of: plain.news).text), "\(odd)")
        }
    }

    @Test func `a value with the syntax of a shell is only a value`() async throws {
        let commands = try Commands()
        let origin =
            #"{"params":{"dry-run":"no","note":"$(echo run) `id`; \"'\" * > x","empty":"","Path":"/x"}}"#
        let script =
            #"printf '%s|' "$LULL_PARAM_DRY_RUN" "$LULL_PARAM_NOTE" "${LULL_PARAM_EMPTY-unset}" "$LULL_PARAM_PATH""#
        let begun = try commands.begin(.init(script), origin: origin)
        #expect(await Heard(of: begun.news).text == #"no|$(echo run) `id`; "'" * > x||/x|"#)
        // No such member, no map, values that are no text, more than a task may have.
        let many = (0..<40).map { "\"p\($0)\":\"x\"" }.joined(separator: ",")
        let odd = [
            "{}", #"{"params":null}"#, #"{"params":["a"]}"#, #"{"params":{"a":{"b":"c"},"c":"a\u0000b"}}"#,
            "{\"params\":{\(many)}}", "{\"params\":{\"\(String(repeating: "n", count: 300))\":\"x\"}}",
        ]
        for (origin, count) in zip(odd, [0, 0, 0, 0, 32, 0]) {
            let plain = try commands.begin(.init("env | grep -c ^LULL_PARAM; true"), origin: origin)
            #expect(await Heard(of: plain.news).text == "\(count)\n", "\(origin)")
        }
    }

    @Test func `what a push brings is on its standard input`() async throws {
        let commands = try Commands()
        let script = "cat; echo \"|$LULL_EVENT|$LULL_PUSH_MERGED|${LULL_PUSH_URGENT-no}\""
        let pushed = try commands.begin(.init(script), payload: #"{"new":3}"#, merged: 2)
        #expect(await Heard(of: pushed.news).text == #"{"new":3}|push|2|no"# + "\n")
        var own = Commands.Settings(script)
        own.stdin = "own"
        let given = try commands.begin(own, payload: "{}")
        #expect(await Heard(of: given.news).text == "own|push|0|no\n")
    }

    @Test func `a list is run without a shell`() async throws {
        let commands = try Commands()
        let list = Commands.Settings(arguments: ["printf", "%s|", "$HOME", "a b"])
        #expect(try await commands.run(list).text == "$HOME|a b|")
        #expect(try await commands.run(.init(arguments: ["/bin/echo", "x"])).text == "x\n")
    }

    @Test func `whose process it is, is known without an environment`() throws {
        let entry = try #require(getpwuid(geteuid())).pointee
        var none: [UnsafeMutablePointer<CChar>?] = [nil]
        var base = try #require(command_base_environment(&none, true))
        var variables: Set<String> = []
        while let variable = base.pointee {
            variables.insert(String(cString: variable))
            base += 1
        }
        let name = String(cString: entry.pw_name)
        #expect(
            variables == ["HOME=" + String(cString: entry.pw_dir), "LOGNAME=" + name, "USER=" + name])
    }

    @Test func `a tilde is the home that the command sees`() async throws {
        let home = try #require(folder).path
        let inherited = ["HOME": "/nowhere"]
        let there = try await run("pwd", inherited: inherited) {
            $0.cwd = "~"
            $0.env = ["HOME": home]
        }
        #expect(there.text == home + "\n")
        let nowhere = try await run("pwd", inherited: inherited) { $0.cwd = "~/at/all" }
        #expect(nowhere.outcome?.fault == COMMAND_NO_FOLDER)
        #expect(nowhere.message.contains("\"/nowhere/at/all\""))
    }

    @Test func `the home is the user's and not the app's`() async throws {
        let inherited = ["HOME": "/var/lib/app", "LULL_USER_HOME": "/home/example"]
        #expect(try await run("echo $HOME", inherited: inherited).text == "/home/example\n")
    }

    @Test func `the environment is small, and settings add to it`() async throws {
        let inherited = ["HOME": "/home/example", "LANG": "C.UTF-8", "SECRET": "x", "PATH": "/odd"]
        let heard = try await run("env", inherited: inherited) { $0.env = ["A": "1 2"] }
        var lines = Set(heard.text.split(separator: "\n").map(String.init))
        // The shell itself sets these.
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
        #expect(try await run("echo $PATH") { $0.env = ["PATH": "/bin"] }.text == "/bin\n")
    }

    @Test func `it has its three streams and no other descriptor, and no signal held back`() async throws {
        let heard = try await run(
            "ls /proc/self/fd; grep -E '^Sig(Blk|Ign):' /proc/self/status | cut -f 2")
        let lines = heard.text.split(separator: "\n")
        // The fourth descriptor is that of `ls` itself.
        #expect(lines.prefix(4) == ["0", "1", "2", "3"])
        let signals = lines.dropFirst(4).compactMap { UInt64($0, radix: 16) }
        // The two signals of glibc itself, which it ignores in every program that `posix_spawn` starts.
        #expect(signals.map { $0 & 0x7fff_ffff } == [0, 0], "\(heard.text)")
    }

    @Test func `it runs in its folder`() async throws {
        let path = try #require(folder).path
        let heard = try await run("pwd -P") { $0.cwd = path }
        #expect(heard.text.hasSuffix(path.split(separator: "/").last.map { $0 + "\n" } ?? "?"))
    }

    @Test func `standard input is empty, or what the settings say`() async throws {
        #expect(try await run("cat; echo end").text == "end\n")
        #expect(try await run("cat; echo end") { $0.stdin = "in\n" }.text == "in\nend\n")
        // More than a pipe holds, for a command that reads none of it.
        let long = String(repeating: "x", count: 1 << 20)
        #expect(try await run("exit 0") { $0.stdin = long }.isSuccess)
    }

    @Test func `a program that is not there is a sentence`() async throws {
        let commands = try Commands()
        let name = try await commands.run(.init(arguments: ["no-such-program"]))
        #expect(name.outcome?.fault == COMMAND_NOT_FOUND)
        #expect(
            name.message
                == "command \"no-such-program\" was not found or can't be executed (PATH is /usr/local/bin:/usr/bin:/bin). "
                + "Install it, write its full path in \"run\", or set PATH in \"env\".")
        let path = try await commands.run(.init(arguments: ["/no/such/program"]))
        #expect(path.message.contains("command \"/no/such/program\" was not found"))
    }

    @Test func `a file without its x bit is told so, with the command that sets it`() async throws {
        let folder = try #require(folder).path
        let script = folder + "/script"
        try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: script))
        let commands = try Commands()
        let heard = try await commands.run(.init(arguments: [script]))
        #expect(heard.outcome?.fault == COMMAND_NOT_FOUND)
        // Without the words "Permission denied", for which the host would blame its limits.
        #expect(
            heard.message
                == "command \"\(script)\" can't be executed: its file has no x bit. "
                + "Run `chmod +x \(script)`, or name a program in \"run\".")
        var relative = Commands.Settings(arguments: ["./script"])
        relative.cwd = folder
        #expect(try await commands.run(relative).message.contains("Run `chmod +x \(folder)/./script`"))
        // Its x bit is set, so something else denied it: here, its interpreter is not a program.
        let other = folder + "/other"
        try Data("#!\(script)\n".utf8).write(to: URL(fileURLWithPath: other))
        chmod(other, 0o755)
        #expect(
            try await commands.run(.init(arguments: [other])).message.contains("executed: Permission denied.")
        )
    }

    @Test func `a program that the shell does not find is told as such`() async throws {
        let heard = try await run("no-such-program")
        #expect(heard.exitCode == 127)
        #expect(
            heard.message
                == "the shell did not find a program, or a program lacks a shared library (exit code 127).")
        #expect(heard.errorText.contains("no-such-program"))
    }

    @Test(arguments: ["/no/such/folder", "/dev/null"])
    func `a folder that is not there is a sentence`(_ folder: String) async throws {
        let heard = try await run("true") { $0.cwd = folder }
        #expect(heard.outcome?.fault == COMMAND_NO_FOLDER)
        #expect(
            heard.message
                == "folder \"\(folder)\" is not there or can't be entered. Make it, or correct \"cwd\".")
    }

    @Test func `children left behind are killed when the command ends`() async throws {
        let heard = try await run("sleep 100000 & echo $!")
        #expect(heard.isSuccess)
        #expect(heard.outcome?.leftBehind == 1)
        #expect(heard.message.contains("1 of its processes was still running and was killed"))
        let child = try #require(pid_t(heard.text.split(separator: "\n").first ?? ""))
        #expect(await Self.isGone(child))
    }

    /// By a descriptor, because the process is not a child of this one. If none can be opened, the process is gone.
    private static func isGone(_ pid: pid_t) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let end = ContinuousClock.now + .seconds(60)
                while let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                    let state = stat.split(separator: ")").last?.split(separator: " ").first, state != "Z",
                    ContinuousClock.now < end
                { sched_yield() }
                continuation.resume(returning: ContinuousClock.now < end)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct CommandExpirationTests {
    /// Starts the command, lets it expire once it has printed a line, and returns everything that it printed.
    func expire(_ script: String, grace: Double) async throws -> Heard {
        var settings = Commands.Settings(script)
        settings.grace_seconds = grace
        let commands = try Commands()
        let (task, news) = try commands.begin(settings)
        let (rest, continuation) = AsyncStream.makeStream(of: Commands.News.self)
        let listening = Task {
            for await each in news {
                if case .printed(_, let bytes) = each, bytes.starts(with: Array("ready\n".utf8)) {
                    commands.expire(task)
                }
                continuation.yield(each)
                if case .ended = each { break }
            }
        }
        let heard = await Heard(of: rest)
        await listening.value
        return heard
    }

    @Test func `expiration sends SIGTERM, and the command may clean up`() async throws {
        let script = "trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done"
        let heard = try await expire(script, grace: 60)
        // The shell may also report that its `sleep` was ended.
        #expect(heard.text == "ready\nbye\n")
        #expect(heard.exitCode == 0)
        #expect(heard.outcome?.isCancelled == true && !heard.isSuccess)
        #expect(heard.message == "the command exited with code 0, because the run was told to end.")
    }

    @Test func `SIGTERM reaches the whole process group`() async throws {
        let heard = try await expire("sleep 100000 & echo ready; wait", grace: 60)
        #expect(heard.text == "ready\n")
        #expect(heard.signal == SIGTERM)
        #expect(heard.outcome?.leftBehind == 0)
    }

    @Test func `a child that cleans up has the grace too`() async throws {
        let script = """
            sh -c 'trap "sleep 0.05; echo child; exit" TERM; echo ready; while :; do sleep 0.01; done' & wait
            """
        let heard = try await expire(script, grace: 60)
        #expect(heard.text == "ready\nchild\n")
        #expect(heard.signal == SIGTERM)
        #expect(heard.outcome?.leftBehind == 0)
    }

    /// Without a grace, SIGKILL may come before the leader has ended on SIGTERM.
    @Test(arguments: [0, 0.01])
    func `a child that goes on is killed after the grace`(grace: Double) async throws {
        let heard = try await expire(
            "sh -c 'trap \"\" TERM; echo ready; exec sleep 100000' & wait", grace: grace)
        #expect(heard.signal == SIGTERM)
        #expect(heard.outcome?.leftBehind == 1)
    }

    @Test func `who ignores SIGTERM is killed after the grace, with all its children`() async throws {
        let script = "trap '' TERM; sh -c 'sleep 100000 & wait' & echo ready; while :; do sleep 0.01; done"
        let heard = try await expire(script, grace: 0.01)
        #expect(heard.signal == SIGKILL)
        #expect(heard.message.contains("SIGKILL, because the run was told to end"))
    }

    @Test func `who goes into another's group is ended all the same`() async throws {
        let script = """
            exec perl -e '
            $SIG{TERM} = "IGNORE"; $| = 1;
            setpgrp(0, getpgrp(getppid())) and print "ready\n";
            sleep 100 while 1;'
            """
        let heard = try await expire(script, grace: 0.01)
        #expect(heard.signal == SIGKILL)
    }

    @Test func `a run that expires before it begins starts nothing`() async throws {
        let folder = try TemporaryFolder()
        let commands = try Commands(isHeld: true)
        let news = try commands.begin(.init("echo started > \(folder.path)/file"), expires: true).news
        commands.start()
        let heard = await Heard(of: news)
        #expect(heard.outcome?.fault == COMMAND_EXPIRED && !heard.isSuccess)
        #expect(heard.message == "the task expired before its command was started.")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/file"))
    }
}
