import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullSystem

/// Real programs, most of them without a loop; the tests of its users cover the loop.
struct ChildProcessTests {
    private static func output(of words: [String]) throws -> (text: String, ending: ChildProcess.Ending) {
        let child = try ChildProcess(words, environment: ChildProcess.environment(of: ["PATH"]))
        var bytes: [UInt8] = []
        while let more = child.read(until: nil), !more.isEmpty { bytes += more }
        return (String(decoding: bytes, as: UTF8.self), child.end(mayFinish: true))
    }

    @Test func `a program has no descriptor of this process's but its own three`() throws {
        let open = dup(STDERR_FILENO)
        defer { close(open) }
        // The fourth descriptor is the folder that `ls` reads.
        #expect(try Self.output(of: ["ls", "/proc/self/fd"]).text == "0\n1\n2\n3\n")
    }

    @Test func `a program leads a session of its own`() throws {
        let numbers = try Self.output(of: ["cut", "-d ", "-f1,6", "/proc/self/stat"]).text
            .split { $0 == " " || $0 == "\n" }
        #expect(numbers.count == 2 && numbers.first == numbers.last)
    }

    @Test func `it is said how a program ended and what it complained of`() throws {
        let (text, ending) = try Self.output(of: ["sh", "-c", "echo a; echo b >&2; echo c >&2; exit 3"])
        #expect(text == "a\n" && ending.trouble == "it exited with 3" && ending.lastWords == "c")
        let killed = try Self.output(of: ["sh", "-c", "kill -9 $$"]).ending
        #expect(killed.trouble == "signal 9 ended it" && killed.lastWords == nil)
        #expect(try Self.output(of: ["true"]).ending.trouble == nil)
    }

    @Test func `a program that complains for long is read on`() throws {
        let flood = "head -c 300000 /dev/zero >&2; echo done"
        #expect(try Self.output(of: ["sh", "-c", flood]).text == "done\n")
    }

    @Test func `a program that complains after it has closed its output can finish`() throws {
        let flood = "exec >&-; head -c 300000 /dev/zero >&2; exit 3"
        let ending = try Self.output(of: ["sh", "-c", flood]).ending
        #expect(ending.trouble == "it exited with 3")
    }

    @Test func `what a program has left behind does not keep it from its end`() throws {
        let ending = try Self.output(of: ["sh", "-c", "sleep 3600 >&- & echo $! >&2"]).ending
        #expect(ending.trouble == nil)
        let left = try #require(ending.lastWords.flatMap { pid_t($0) })
        #expect(kill(left, SIGKILL) == 0, "it was waited for")
    }

    @Test func `of many complaints the first and the last are kept`() throws {
        let ending = try Self.output(of: ["sh", "-c", "seq 30000 >&2; printf 'the last\n\n' >&2"]).ending
        #expect(ending.lastWords == "the last")
        #expect(ending.complaints.starts(with: Array("1\n2\n3\n".utf8)) && ending.complaints.count == 4096)
    }

    @Test func `a program that prints without end meets its deadline`() throws {
        let child = try ChildProcess(["yes"], environment: ChildProcess.environment(of: ["PATH"]))
        // It prints by now, so only the deadline ends the loop.
        #expect(try #require(child.read()).isEmpty == false)
        let deadline = Clock.monotonic + .milliseconds(50)
        while let bytes = child.read(until: deadline) {
            try #require(!bytes.isEmpty && Clock.monotonic < deadline + hangLimit)
            // This takes long enough for more output to come meanwhile.
            _ = String(decoding: bytes, as: UTF8.self).split(separator: "\n").count
        }
        #expect(child.end().trouble == "signal 9 ended it")
    }

    @Test func `a program whose last words let go of it is told of no more`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/lull-\(UUID().uuidString)"
        try #require(mkdir(folder, 0o700) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (go, done) = (folder + "/go", folder + "/done")
        try #require(mkfifo(go, 0o600) == 0 && mkfifo(done, 0o600) == 0)
        // A child that outlives the program prints after the program's end, so the loop gets the end first.
        let script = """
            (until grep -q '^State:.Z' /proc/$$/status; do :; done
            read line < \(go); echo late; echo > \(done)) &
            """
        let loop = try EventLoop()
        var child: ChildProcess? = try ChildProcess(
            ["sh", "-c", script], environment: ChildProcess.environment(of: ["PATH"]))
        var heard = ""
        try child?.listen(on: loop) { bytes in
            heard += String(decoding: bytes, as: UTF8.self)
            child = nil
            loop.stop()
        } ended: { _ in
            Issue.record("its end was told")
            loop.stop()
        }
        try "\n".write(to: URL(fileURLWithPath: go), atomically: false, encoding: .utf8)
        _ = try FileHandle(forReadingAtPath: done)?.readToEnd()
        loop.run()
        #expect(heard == "late\n" && child == nil)
    }

    @Test func `what is no program is said by its errno`() {
        #expect(throws: ChildProcess.Refusal(code: ENOENT)) {
            try ChildProcess(["/nonexistent/program"], environment: [])
        }
        #expect(throws: ChildProcess.Refusal(code: ENOENT)) { try ChildProcess([], environment: []) }
    }
}
