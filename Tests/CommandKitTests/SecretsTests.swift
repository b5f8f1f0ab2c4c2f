import CCommandKit
import Foundation
import Glibc
import TestSupport
import Testing

/// Secrets of commands: how commands get them, which are refused, and that nothing else shows them.
@Suite(.timeLimit(.minutes(20))) struct SecretsTests {
    let folder: TemporaryFolder
    private var state: String { folder.path + "/state" }

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/state", withIntermediateDirectories: true)
    }

    @discardableResult
    private func file(_ text: String, as name: String = "secret") throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/" + name))
        return folder.path + "/" + name
    }

    private func run(_ script: String, _ secrets: [String: [String: String]]) async throws -> Heard {
        var settings = Commands.Settings(script)
        settings.secrets = secrets
        let heard = try await Commands(state: state).run(settings)
        // Its folder is empty afterwards.
        let left = (try? FileManager.default.contentsOfDirectory(atPath: state + "/credentials")) ?? []
        #expect(left.isEmpty)
        return heard
    }

    @Test func `a secret is a file in a private folder, byte for byte, and in no variable`() async throws {
        let path = try file("hunter2\n\n")
        let heard = try await run(
            """
            cd "$CREDENTIALS_DIRECTORY" && ls; stat -c %a . ; stat -Lc '%a %F %s' db.pass; od -An -c db.pass
            echo changed 2>&- >db.pass || echo kept; env | grep -c '=hunter2'
            """, ["db.pass": ["file": path]])
        #expect(
            heard.text == """
                db.pass
                700
                400 regular file 9
                   h   u   n   t   e   r   2  \\n  \\n
                kept
                0

                """, "\(heard.all) \(heard.message)")
        #expect(try await run("echo ${CREDENTIALS_DIRECTORY-none}", [:]).text == "none\n")
    }

    @Test func `a secret is in a variable where its settings name one, without the newline at its end`()
        async throws
    {
        var settings = Commands.Settings("printf %s \"$A\" | wc -c; sh -c 'echo ${#A} ${#C}'; echo $B")
        settings.secrets = [
            "a": ["file": try file("hunter2\n"), "env": "A"], "b": ["command": "echo $B-$C", "env": "C"],
        ]
        (settings.env, settings.env_file) = (["A": "no secret"], [try file("B=text", as: "env")])
        let heard = try await Commands(state: state).run(settings)
        #expect(heard.text == "7\n7 5\ntext\n", "\(heard.all) \(heard.message)")
    }

    @Test func `what a command prints shows no secret, in whatever pieces it comes`() async throws {
        let script = """
            for byte in h u n t e r 2; do printf $byte; printf $byte >&2; done; echo; echo >&2
            cat "$CREDENTIALS_DIRECTORY"/*; echo "cannot log in with $A:hunter2" >&2
            exec 2>&1; printf hunte
            """
        let commands = try Commands(state: state)
        var settings = Commands.Settings(script)
        settings.secrets = ["a": ["file": try file("hunter2"), "env": "A"], "b": ["command": "echo ter24"]]
        let heard = try await commands.run(settings)
        var text = heard.text
        // A child that another test is just starting may hold a copy of the pipe for a moment: then its end comes late.
        if text == "***\n***\n" {
            for await piece in commands.late {
                text += String(decoding: piece, as: UTF8.self)
                break
            }
        }
        #expect(text == "***\n***\nhunte", "\(heard.text)")
        #expect(heard.errorText == "***\ncannot log in with ***:***\n", "\(heard.errorText)")
    }

    @Test func `who goes on after the run is not heard to say a secret either`() async throws {
        let script = """
            mkfifo \(folder.path)/go \(folder.path)/ready
            printf 'done '; setsid sh -c 'printf hun; echo > \(folder.path)/ready; read x < \(folder.path)/go; echo ter2' &
            read x < \(folder.path)/ready
            """
        let commands = try Commands(state: state)
        var settings = Commands.Settings(script)
        settings.secrets = ["a": ["file": try file("hunter2")]]
        #expect(try await commands.run(settings).text == "done ")
        _ = try await commands.run("echo > \(folder.path)/go")
        var late: [UInt8] = []
        for await piece in commands.late {
            late += piece
            if late.last == UInt8(ascii: "\n") { break }
        }
        #expect(String(decoding: late, as: UTF8.self) == "***\n")
    }

    @Test func `what is no secret fails the run before its command begins`() async throws {
        try file("", as: "empty")
        try file("\n", as: "newline")
        try file(String(repeating: "x", count: 65_537), as: "large")
        try file("hunter2\0x", as: "binary")
        try #require(chmod(try file("hunter2", as: "open"), 0o666) == 0)
        let path = folder.path
        for (secret, words) in [
            (
                ["file": path + "/none"],
                "\(path)/none: the file is not there. Make it, or correct \"secrets\"."
            ),
            (["file": path], "\(path): this is not a regular file."),
            (["file": "/dev/zero"], "/dev/zero: this is not a regular file."),
            (["file": path + "/open"], "everybody may write the file. Forbid that: chmod o-w."),
            (["file": path + "/empty"], "the file is empty. Write the secret there."),
            (["file": path + "/newline"], "the file is empty."),
            (["file": path + "/large"], "the file has more than 64 KiB."),
            (["file": path + "/binary", "env": "A"], "\(path)/binary: it holds a NUL character"),
            (["command": "true"], "its command printed nothing."),
            (["command": "echo"], "its command printed nothing."),
            (
                ["command": "echo hunter2; echo hunter2 >&2; exit 3"],
                "its command failed with exit code 3. Run it by hand"
            ),
            (["command": "echo hunter2; kill $$"], "its command was ended by signal 15."),
            (["command": "yes hunter2"], "its command printed more than 64 KiB."),
            (["command": "yes hunter2 >&2 & yes hunter2"], "its command printed more than 64 KiB."),
            (["command": "printf 'hunter2\\0'", "env": "A"], "it holds a NUL character"),
        ] {
            let heard = try await run("touch \(path)/begun", ["db": secret])
            #expect(heard.outcome?.fault == COMMAND_BAD_SECRET && heard.all.isEmpty)
            #expect(
                heard.message.hasPrefix("secret \"db\": ") && heard.message.contains(words),
                "\(heard.message)")
            #expect(!heard.message.contains("hunter2") && heard.message.hasSuffix("."))
        }
        #expect(!FileManager.default.fileExists(atPath: path + "/begun"))
    }

    @Test(.enabled(if: geteuid() != 0, "root reads every file"))
    func `a file that the user may not read says as whom it was tried`() async throws {
        let path = try file("hunter2")
        try #require(chmod(path, 0) == 0)
        let message = try await run("true", ["db": ["file": path]]).message
        #expect(
            message.contains("(\(geteuid())) can't read the file: Permission denied. Give it to that user"))
    }

    @Test func `as much as may be is given whole`() async throws {
        let path = try file(String(repeating: "x", count: 65_536))
        let heard = try await run(
            "cat $CREDENTIALS_DIRECTORY/a | wc -c; echo ${#A}; cat $CREDENTIALS_DIRECTORY/*",
            ["a": ["file": path, "env": "A"], "b": ["command": "cat \(path); printf bad >&2"]])
        #expect(heard.text == "65536\n65536\n***", "\(heard.message)")
    }

    @Test func `a run that expires does not wait for the command of a secret`() async throws {
        let commands = try Commands(state: state)
        var settings = Commands.Settings("true")
        try #require(mkfifo(folder.path + "/pipe", 0o600) == 0)
        settings.secrets = ["db": ["command": "echo > \(folder.path)/pipe; while :; do sleep 60; done"]]
        let (task, news) = try commands.begin(settings)
        // The command has begun when the reader ends.
        let reader = Process()
        reader.executableURL = URL(fileURLWithPath: "/bin/cat")
        (reader.arguments, reader.standardOutput) = ([folder.path + "/pipe"], FileHandle.nullDevice)
        try reader.run()
        reader.waitUntilExit()
        commands.expire(task)
        let heard = await Heard(of: news)
        #expect(heard.outcome?.fault == COMMAND_EXPIRED)
        #expect(
            heard.message.hasPrefix("secret \"db\": the task expired while its command ran."),
            "\(heard.message)")
    }

    @Test func `no message shows a variable of a secret`() async throws {
        var settings = Commands.Settings(arguments: ["no-such-program"])
        settings.secrets = ["p": ["file": try file("/hunter2"), "env": "PATH"]]
        let heard = try await Commands(state: state).run(settings)
        #expect(heard.message.contains("(PATH is that of \"secrets\")"), "\(heard.message)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: state + "/credentials").isEmpty)
    }

    @Test func `what a killed worker has left is removed by the next, and what a living one has is not`()
        async throws
    {
        let gone = Process()
        gone.executableURL = URL(fileURLWithPath: "/bin/true")
        try gone.run()
        gone.waitUntilExit()
        let (left, living) = ("\(gone.processIdentifier)-1", "\(getppid())-1")
        for name in [left, living] {
            let path = state + "/credentials/" + name
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: path + "/db", withDestinationPath: "/proc/1/fd/999")
        }
        _ = try Commands(state: state)
        #expect(try FileManager.default.contentsOfDirectory(atPath: state + "/credentials") == [living])
    }

    @Test func `without a place for it the run fails`() async throws {
        var settings = Commands.Settings("true")
        settings.secrets = ["db": ["file": try file("hunter2")]]
        let heard = try await Commands(state: folder.path + "/none").run(settings)
        #expect(heard.outcome?.fault == COMMAND_BAD_SECRET)
        #expect(heard.message.contains("/none/credentials/"), "\(heard.message)")
    }
}
