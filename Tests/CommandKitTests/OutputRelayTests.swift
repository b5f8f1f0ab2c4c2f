import CCommandKit
import Foundation
import TestSupport
import Testing

/// The output of a command reaches its own run, complete, before the run ends.
@Suite(.timeLimit(.minutes(20))) struct OutputRelayTests {
    let folder = try? TemporaryFolder()

    @Test func `of two commands at once each is heard on its own`() async throws {
        let path = try #require(folder).path
        let commands = try Commands()
        _ = try await commands.run("mkfifo \(path)/a \(path)/b")
        // Neither prints before the other runs.
        let first = try commands.begin(
            .init("echo > \(path)/a; read x < \(path)/b; echo one; echo err >&2"))
        let second = try commands.begin(.init("read x < \(path)/a; echo > \(path)/b; echo two"))
        let (one, two) = (await Heard(of: first.news), await Heard(of: second.news))
        #expect(one.isSuccess && two.isSuccess)
        #expect(one.text == "one\n" && one.errorText == "err\n")
        #expect(two.text == "two\n" && two.errorText == "")
    }

    @Test func `more than a pipe holds is there when the command has ended`() async throws {
        let heard = try await Commands().run("head -c 300000 /dev/zero; printf end; exit 3")
        #expect(heard.exitCode == 3)
        #expect(heard.output.count == 300_003)
        #expect(heard.text.hasSuffix("\0end"))
    }

    @Test func `three hundred commands at once each keep their line`() async throws {
        let commands = try Commands()
        let all = try (0..<300).map { (number: $0, news: try commands.begin(.init("echo \($0)")).news) }
        for (number, news) in all {
            let heard = await Heard(of: news)
            #expect(heard.isSuccess && heard.text == "\(number)\n")
        }
    }

    @Test func `who keeps the pipe holds up no run, and is still heard`() async throws {
        let path = try #require(folder).path
        let commands = try Commands()
        // The child has left the group, and so escapes its end, before the shell goes on.
        let script = """
            mkfifo \(path)/go \(path)/ready
            setsid sh -c 'echo > \(path)/ready; read x < \(path)/go; echo late' &
            read x < \(path)/ready; echo done
            """
        let heard = try await commands.run(script)
        #expect(heard.isSuccess && heard.outcome?.leftBehind == 0)
        #expect(heard.text == "done\n")
        _ = try await commands.run("echo > \(path)/go")
        var iterator = commands.late.makeAsyncIterator()
        #expect(await iterator.next() == Array("late\n".utf8))
    }
}
