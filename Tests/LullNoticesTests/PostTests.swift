import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullNotices

/// Real programs, with a real loop.
@Suite struct `The post` {
    private final class Bench {
        private let temporary: TemporaryFolder
        var folder: String { temporary.path }
        let loop: EventLoop

        init() throws { (temporary, loop) = (try TemporaryFolder(), try EventLoop()) }

        func script(_ text: String, _ name: String = "sink") throws -> String {
            let path = folder + "/" + name
            try ("#!/bin/sh\n" + text).write(toFile: path + ".text", atomically: true, encoding: .utf8)
            // Another process writes it: a fork of another test would hold this process's file open, and until then it could not
            // be executed ("text file busy").
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
        let post = try Post(loop: bench.loop, limit: hangLimit)
        #expect(try bench.send([.command([sink, bench.folder])], with: post) == [nil])
        #expect(try bench.read("variables") == "failed com.example.Feed.refresh 17\n")
        #expect(try bench.read("in") == (try Sample.message(output: "out\n").json) + "\n")
    }

    @Test func `says why a sink has not taken it`() throws {
        let bench = try Bench()
        let post = try Post(loop: bench.loop, limit: hangLimit)
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
            try bench.send([.command([sink])], with: post) == ["it took too long, and was killed"])
    }

    @Test func `hands sendmail a whole message`() throws {
        let bench = try Bench()
        let sendmail = try bench.script("echo \"$@\" > \(bench.folder)/words; cat > \(bench.folder)/mail")
        let post = try Post(loop: bench.loop, sendmail: sendmail, limit: hangLimit)
        #expect(try bench.send([.mail("ops@example.org")], with: post) == [nil])
        #expect(try bench.read("words") == "-t -oi\n")
        #expect(try bench.read("mail").hasPrefix("To: ops@example.org\nSubject: "))
    }

    /// A receiver that redirects: the status, and whether the post reaches the new address.
    @Test(
        .enabled(if: WebServer.isThere, "nginx is not installed"),
        arguments: [
            ("/moved/301", true), ("/moved/302", true), ("/moved/307", true), ("/moved/308", true),
            ("/hop/3", true),
            ("/hop/4", false), ("/circle", false), ("/unchanged", false),
        ])
    func `follows a receiver that has moved by the same method, and not for ever`(path: String, arrives: Bool)
        throws
    {
        // Each method has its own path, so that the response shows the method; the log may be written later.
        let locations = ["POST", "GET"].map { method in
            let codes = [301, 302, 307, 308].map {
                "location /\(method)/moved/\($0) { return \($0) /\(method)/here; }"
            }
            let hops = (1...4).map {
                "location /\(method)/hop/\($0) { return 307 /\(method)\($0 == 1 ? "/here" : "/hop/\($0 - 1)"); }"
            }
            return (codes + hops).joined(separator: "\n")
                + "\nlocation /\(method)/here { if ($request_method != \(method)) { return 405; } return 204; }"
                + "\nlocation /\(method)/circle { return 302 /\(method)/circle; }"
                + "\nlocation /\(method)/unchanged { return 304; }"
        }
        let server = try WebServer(locations: locations.joined(separator: "\n"))
        let address = "http://\(server.address):\(server.port)"
        let bench = try Bench()
        let post = try Post(loop: bench.loop, limit: hangLimit)
        let results = try bench.send([.webhook("\(address)/POST\(path)")], with: post)
        #expect((results == [nil]) == arrives, "\(results)")
        var beat: String??
        post.ping("\(address)/GET\(path)", json: nil, headers: []) { trouble in
            beat = .some(trouble)
            bench.loop.stop()
        }
        bench.loop.run()
        #expect((beat == .some(nil)) == arrives)
    }

    @Test func `what is encrypted is led nowhere that is not`() throws {
        for (url, schemes) in [("https://a.example/x", "=https"), ("http://a.example/x", "=https,http")] {
            let words = NoticeProgram(posting: "{}", to: url).words
            let place = try #require(words.firstIndex(of: "--proto-redir"))
            #expect(words[place + 1] == schemes)
        }
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
        let post = try Post(loop: bench.loop, limit: hangLimit)
        let results = try bench.send(Array(repeating: .command([sink]), count: 8), with: post)
        #expect(results.allSatisfy { $0 == nil })
    }
}
