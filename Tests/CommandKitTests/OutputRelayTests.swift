import Foundation
import Synchronization
import Testing

@testable import CommandKit

/// What a command prints reaches its own run, whole, before the run ends.
struct OutputRelayTests {
    /// What was handed on, by stream.
    final class Heard: Sendable {
        let bytes = Mutex<[OutputRelay.Stream: [UInt8]]>([:])

        var sink: OutputRelay.Sink {
            { stream, bytes in self.bytes.withLock { $0[stream, default: []] += bytes } }
        }
        func count(_ stream: OutputRelay.Stream) -> Int { bytes.withLock { $0[stream, default: []].count } }
        func text(_ stream: OutputRelay.Stream) -> String {
            String(decoding: bytes.withLock { $0[stream] ?? [] }, as: UTF8.self)
        }
    }

    let folder = try? TemporaryFolder()

    private func run(
        _ script: String, to heard: Heard, late: @escaping OutputRelay.Sink = { _, _ in }
    ) async throws -> CommandOutcome {
        try await OutputRelay.run(
            {
                try await CommandRun(
                    CommandSettings(run: .shell(script)), inherited: [:], standardOutput: $0,
                    standardError: $1)()
            }, to: heard.sink, late: late)
    }

    @Test func `of two commands at once each is heard on its own`() async throws {
        let path = try #require(folder).path
        let (one, two) = (Heard(), Heard())
        // Neither prints before the other runs.
        let script = "mkfifo \(path)/a \(path)/b; "
        _ = try await run(script, to: Heard())
        async let first = run("echo > \(path)/a; read x < \(path)/b; echo one; echo err >&2", to: one)
        async let second = run("read x < \(path)/a; echo > \(path)/b; echo two", to: two)
        let outcomes = try await [first, second]
        #expect(outcomes.map(\.isSuccess) == [true, true])
        #expect(one.text(.output) == "one\n" && one.text(.error) == "err\n")
        #expect(two.text(.output) == "two\n" && two.text(.error) == "")
    }

    @Test func `more than a pipe holds is there when the command has ended`() async throws {
        let heard = Heard()
        let outcome = try await run("head -c 300000 /dev/zero; printf end; exit 3", to: heard)
        #expect(outcome.ending == .exited(3))
        #expect(heard.count(.output) == 300_003)
        #expect(heard.text(.output).hasSuffix("\0end"))
    }

    @Test func `who keeps the pipe holds up no run, and is still heard`() async throws {
        let path = try #require(folder).path
        let heard = Heard()
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        // The second has left the group, and so its end, before the first goes on.
        let script = """
            mkfifo \(path)/go \(path)/ready
            setsid sh -c 'echo > \(path)/ready; read x < \(path)/go; echo late' &
            read x < \(path)/ready; echo done
            """
        let outcome = try await run(script, to: heard) { line.yield(String(decoding: $1, as: UTF8.self)) }
        #expect(outcome.isSuccess && outcome.leftBehind == 0)
        #expect(heard.text(.output) == "done\n")
        _ = try await run("echo > \(path)/go", to: Heard())
        var iterator = lines.makeAsyncIterator()
        #expect(await iterator.next() == "late\n")
        #expect(heard.text(.output) == "done\n")
    }

    @Test func `a command that can't be started is told as before`() async throws {
        await #expect(throws: CommandError.self) {
            try await OutputRelay.run({ _, _ in throw CommandError.noFolder("/x") }, to: Heard().sink)
        }
    }
}
