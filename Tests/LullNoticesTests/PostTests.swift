import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullNotices

/// Real programs, on a real loop.
@Suite struct `The post` {
    private final class Bench {
        private let temporary: TemporaryFolder
        var folder: String { temporary.path }
        let loop: EventLoop

        init() throws { (temporary, loop) = (try TemporaryFolder(), try EventLoop()) }

        func script(_ text: String, _ name: String = "sink") throws -> String {
            let path = folder + "/" + name
            try ("#!/bin/sh\n" + text).write(toFile: path + ".text", atomically: true, encoding: .utf8)
            // Written by another process: what a test beside this one forks would hold it open, and it could not be
            // executed as long ("text file busy").
            let copy = Process()
            copy.executableURL = URL(fileURLWithPath: "/usr/bin/install")
            copy.arguments = ["-m", "755", path + ".text", path]
            try copy.run()
            copy.waitUntilExit()
            return path
        }

        func send(_ targets: [NoticeSink.Target], with post: Post) throws -> [String?] {
            var results: [String?] = []
            for target in targets {
                post.send(try Sample.message(output: "out\n"), to: target) { [loop] trouble in
                    results.append(trouble)
                    if results.count == targets.count { loop.stop() }
                }
            }
            loop.run()
            #expect(post.isQuiet)
            return results
        }

        func read(_ name: String) throws -> String {
            try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        }
    }

    @Test func `hands a command the notice and its variables`() throws {
        let bench = try Bench()
        let sink = try bench.script("cat > $1/in; echo \"$LULL_KIND $LULL_TASK $LULL_RUN\" > $1/variables")
        let post = try Post(loop: bench.loop)
        #expect(try bench.send([.command([sink, bench.folder])], with: post) == [nil])
        #expect(try bench.read("variables") == "failed com.example.Feed.refresh 17\n")
        #expect(try bench.read("in") == (try Sample.message(output: "out\n").json) + "\n")
    }

    @Test func `says why a sink has not taken it`() throws {
        let bench = try Bench()
        let post = try Post(loop: bench.loop)
        let sink = try bench.script("echo first >&2; echo 'it is away' >&2; exit 3")
        let results = try bench.send([.command([sink])], with: post)
        #expect(results == ["it exited with 3: it is away"])
        let missing = try bench.send([.command([bench.folder + "/none"])], with: post)
        #expect(missing == ["there is no program '\(bench.folder)/none'"])
    }

    @Test func `ends what takes too long, and what that has started`() throws {
        let bench = try Bench()
        let sink = try bench.script("sleep 1000 & sleep 1000")
        let post = try Post(loop: bench.loop, limit: .milliseconds(50))
        #expect(
            try bench.send([.command([sink])], with: post) == ["it took longer than it has, and was killed"])
    }

    @Test func `hands sendmail a whole message`() throws {
        let bench = try Bench()
        let sendmail = try bench.script("echo \"$@\" > \(bench.folder)/words; cat > \(bench.folder)/mail")
        let post = try Post(loop: bench.loop, sendmail: sendmail)
        #expect(try bench.send([.mail("ops@example.org")], with: post) == [nil])
        #expect(try bench.read("words") == "-t -oi\n")
        #expect(try bench.read("mail").hasPrefix("To: ops@example.org\nSubject: "))
    }

    @Test func `says that there is no journal`() throws {
        let bench = try Bench()
        let post = try Post(loop: bench.loop, journal: bench.folder + "/none")
        let result = try bench.send([.journal], with: post)
        #expect(result.first??.hasPrefix("there is no journal at") == true)
    }

    @Test func `carries several at once`() throws {
        let bench = try Bench()
        let sink = try bench.script("cat > /dev/null")
        let post = try Post(loop: bench.loop)
        let results = try bench.send(Array(repeating: .command([sink]), count: 8), with: post)
        #expect(results.allSatisfy { $0 == nil })
    }
}
