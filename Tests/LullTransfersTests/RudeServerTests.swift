import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullTransfers

/// Transfers with servers that misbehave in ways that nginx can't.
struct RudeServerTests {
    static let data = pattern(400_000)
    /// The number of bytes of `data` that each interrupted download below has.
    static let cut = 150_000

    /// A server that sends `headers` and closes in the middle; later requests are the test's.
    private func server(
        _ headers: [String] = [#"ETag: "one""#],
        then: @escaping @Sendable (RudeServer.Request, RudeServer.Client) -> Void
    ) throws -> RudeServer {
        try RudeServer { request, client in
            guard request.number == 0 else { return then(request, client) }
            client.answer("200 OK", headers, Self.data.prefix(Self.cut), length: Self.data.count)
            client.leave()
        }
    }

    /// A bench whose first attempt was cut off.
    private func interrupted(_ server: RudeServer) throws -> TransferBench {
        let bench = try TransferBench()
        let first = try #require(try bench.fetch(TransferBench.download(server.url())).interruption)
        #expect(first.received == Int64(Self.cut) && first.sentence.contains("closed the connection early"))
        #expect(bench.part() == Self.data.prefix(Self.cut) && bench.done() == nil)
        return bench
    }

    private func lastRange(_ server: RudeServer) -> String? {
        server.requests.dropFirst().first?.headers["range"]
    }

    @Test func `a connection that is closed early is gone on with`() throws {
        let server = try server { request, client in
            client.answer(
                "206 Partial Content",
                [
                    "Content-Range: bytes \(Self.cut)-\(Self.data.count - 1)/\(Self.data.count)",
                    #"ETag: "one""#,
                ],
                Self.data.dropFirst(Self.cut))
        }
        let bench = try interrupted(server)
        let result = try bench.finish(TransferBench.download(server.url()))
        // The app sees the file's own response, as if the download had never been cut off.
        #expect(result.status == 200 && result.received == Int64(Self.data.count))
        #expect(result.headers.value("content-length") == "\(Self.data.count)")
        #expect(bench.done() == Self.data && lastRange(server) == "bytes=\(Self.cut)-")
        #expect(server.requests.last?.headers["if-range"] == #""one""#)
    }

    @Test(arguments: [Int.max, Int.max - Self.cut, 1 << 53 + 1])
    func `a length that no file has is not counted with`(length: Int) throws {
        let server = try server { request, client in
            let range = "Content-Range: bytes \(Self.cut)-\(Self.data.count - 1)/*"
            client.answer(
                "206 Partial Content", [range, #"ETag: "one""#], Self.data.dropFirst(Self.cut), length: length
            )
            client.leave()
        }
        let bench = try interrupted(server)
        let second = try #require(try bench.fetch(TransferBench.download(server.url())).interruption)
        #expect(second.received == Int64(Self.data.count) && bench.done() == nil)
    }

    @Test func `who ignores ranges sends all, and all of it is taken`() throws {
        let server = try server { _, client in client.answer("200 OK", [#"ETag: "one""#], Self.data) }
        let bench = try interrupted(server)
        _ = try bench.finish(TransferBench.download(server.url()))
        #expect(bench.done() == Self.data && lastRange(server) != nil)
    }

    @Test func `a file that has changed is never joined to its old beginning`() throws {
        let other = pattern(Self.data.count, seed: 2)
        // The second server supports `Range` but not `If-Range`: it sends the end of another file.
        let server = try server { request, client in
            guard request.headers["range"] != nil else {
                return client.answer("200 OK", [#"ETag: "two""#], other)
            }
            client.answer(
                "206 Partial Content",
                ["Content-Range: bytes \(Self.cut)-\(other.count - 1)/\(other.count)", #"ETag: "two""#],
                other.dropFirst(Self.cut))
        }
        let bench = try interrupted(server)
        _ = try bench.finish(TransferBench.download(server.url()))
        #expect(bench.done() == other && server.requests.count == 3)
    }

    @Test(arguments: [
        "bytes 0-399999/400000", "bytes 150001-399999/400000", "bytes 150000-399999/500000",
        "lines 150000-9/10", "",
    ])
    func `a range that was not asked for is not taken`(range: String) throws {
        let server = try server { request, client in
            guard request.headers["range"] != nil else { return client.answer("200 OK", [], Self.data) }
            client.answer("206 Partial Content", ["Content-Range: " + range], Self.data.dropFirst(Self.cut))
        }
        let bench = try interrupted(server)
        _ = try bench.finish(TransferBench.download(server.url()))
        #expect(bench.done() == Self.data && server.requests.count == 3)
    }

    @Test func `a range beyond the end begins again`() throws {
        let server = try server { request, client in
            guard request.headers["range"] != nil else {
                return client.answer("200 OK", [], Data("short".utf8))
            }
            client.answer("416 Range Not Satisfiable", ["Content-Range: bytes */5"], Data("no".utf8))
        }
        let bench = try interrupted(server)
        _ = try bench.finish(TransferBench.download(server.url()))
        #expect(bench.done() == Data("short".utf8))
    }

    @Test(arguments: [
        [], [#"ETag: W/"weak""#],
        ["Last-Modified: Sat, 21 Nov 2026 08:00:00 GMT", "Date: Sat, 21 Nov 2026 08:00:00 GMT"],
    ])
    func `without a name for the very version nothing is gone on with`(headers: [String]) throws {
        let server = try server(headers) { _, client in client.answer("200 OK", headers, Self.data) }
        let bench = try interrupted(server)
        _ = try bench.finish(TransferBench.download(server.url()))
        #expect(bench.done() == Self.data && server.requests.count == 2 && lastRange(server) == nil)
    }

    @Test func `a date that is old enough is a name`() throws {
        let date = "Sat, 21 Nov 2026 08:00:00 GMT"
        let server = try server(["Last-Modified: " + date, "Date: Sat, 21 Nov 2026 09:00:00 GMT"]) {
            _, client in
            client.answer(
                "206 Partial Content", ["Content-Range: bytes \(Self.cut)-\(Self.data.count - 1)/*"],
                Self.data.dropFirst(Self.cut))
        }
        let bench = try interrupted(server)
        _ = try bench.finish(TransferBench.download(server.url()))
        #expect(bench.done() == Self.data && server.requests.last?.headers["if-range"] == date)
    }

    @Test(arguments: ["429 Too Many Requests", "503 Service Unavailable"])
    func `a server that is busy says when, and what has come stays`(status: String) throws {
        let server = try server { _, client in client.answer(status, ["Retry-After: 120"], Data("busy".utf8))
        }
        let bench = try interrupted(server)
        let news = try #require(try bench.fetch(TransferBench.download(server.url())).interruption)
        #expect(news.retryAfter == .seconds(120) && news.received == Int64(Self.cut))
        #expect(bench.part() == Self.data.prefix(Self.cut))
    }

    @Test func `a server that stalls is left`() throws {
        let server = try RudeServer { _, client in
            client.answer("200 OK", [], Data("a".utf8), length: 10)
            client.stall()
        }
        let bench = try TransferBench()
        let order = TransferBench.download(server.url()) { $0.idleLimit = .seconds(1) }
        let news = try #require(try bench.fetch(order).interruption)
        #expect(news.sentence == "127.0.0.1 timed out: nothing came for 1 s.")
    }

    @Test func `a server that stalls one transfer keeps no other of its waiting`() throws {
        let server = try RudeServer { request, client in
            guard request.path == "/slow" else { return client.answer("200 OK", [], Self.data) }
            client.stall()
        }
        let bench = try TransferBench()
        try bench.begin(TransferBench.download(server.url("slow")))
        #expect(try bench.finish(TransferBench.download(server.url()), id: 2).status == 200)
        #expect(bench.news.allSatisfy { $0.id == TransferID(2) })
    }

    @Test func `a line of the head that is too long fails, and says so`() throws {
        let server = try RudeServer { _, client in
            client.say("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 1 << 20))\r\n\r\n")
            client.leave()
        }
        let bench = try TransferBench()
        let failure = try #require(try bench.fetch(TransferBench.download(server.url())).failure)
        #expect(failure.code == TransferFailure.Code.badServerResponse)
        #expect(failure.sentence.hasPrefix("The server's header is too long"), "\(failure.sentence)")
    }

    @Test func `nobody there is no failure`() throws {
        let port = try LoopbackListener()
        close(port.descriptor)
        let bench = try TransferBench()
        let news = try bench.fetch(TransferBench.download("http://127.0.0.1:\(port.port)/"))
        #expect(news.interruption?.sentence.contains("connect") == true)
    }

    @Test(arguments: [
        "Content-MD5: ", "Digest: MD5=", "Digest: unknown=AAAA,MD5=", "Repr-Digest: md5=:",
        "Content-Digest: md5=:",
    ])
    func `a digest is compared`(header: String) throws {
        let end = header.hasSuffix(":") ? ":" : ""
        // The digest of "whole", from `openssl md5 -binary | base64`.
        let server = try RudeServer { request, client in
            let digest = request.number == 0 ? "AAAAAAAAAAAAAAAAAAAAAA==" : "NWye5g6doFMBrcO9lvazgw=="
            client.answer("200 OK", [header + digest + end], Data("whole".utf8))
        }
        let bench = try TransferBench()
        let news = try #require(try bench.fetch(TransferBench.download(server.url())).interruption)
        #expect(news.sentence.hasPrefix("The file is damaged") && news.received == 0)
        #expect(bench.part() == Data())
        #expect(try bench.finish(TransferBench.download(server.url())).status == 200)
    }

    @Test func `what is larger than the manifest lets it be is refused`() throws {
        let server = try RudeServer { request, client in
            guard request.path == "/chunked" else { return client.answer("200 OK", [], Self.data) }
            client.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<5 { client.say("a\r\n0123456789\r\n") }
            client.say("0\r\n\r\n")
        }
        let bench = try TransferBench()
        let rules = TransferRules(maxSize: 40)
        for (id, path) in [(UInt64(1), "file"), (2, "chunked")] {
            let news = try bench.fetch(TransferBench.download(server.url(path)), id: id, rules: rules)
            #expect(news.failure?.code == TransferFailure.Code.dataLengthExceedsMaximum)
        }
        _ = try bench.finish(TransferBench.download(server.url("chunked")), id: 3)
        #expect(bench.done(3)?.count == 50)
    }

    @Test func `the disk's free space is left alone`() throws {
        let server = try RudeServer { _, client in client.answer("200 OK", [], Self.data) }
        let bench = try TransferBench()
        try bench.begin(TransferBench.download(server.url()), keepsFree: 1 << 60)
        #expect(
            try bench.end().interruption?.sentence.hasPrefix("The disk of the transfers' folder is short")
                == true)
    }

    @Test func `where not all have room, a file that is begun keeps its own`() throws {
        let bench = try TransferBench()
        var disk = statvfs()
        #expect(statvfs(bench.temporary.path, &disk) == 0)
        let most = Int(clamping: UInt64(disk.f_bavail) * UInt64(disk.f_frsize) / 5 * 3)
        let server = try RudeServer { _, client in
            client.answer("200 OK", [], Self.data, length: most)
            for _ in 0..<1000 { client.say(Self.data) }
        }
        let rules = TransferRules(rate: 1 << 16, maxSize: .max)
        try bench.begin(TransferBench.download(server.url()), rules: rules)
        try bench.waitForProgress()
        let second = try bench.fetch(TransferBench.download(server.url()), id: 2, rules: rules)
        let sentence = try #require(second.interruption?.sentence)
        #expect(sentence.hasPrefix("The disk of the transfers' folder is short"))
        #expect(bench.news.allSatisfy { $0.id != TransferID(1) || $0.news.isProgress })
    }

    @Test func `a chunked body that breaks off is not whole`() throws {
        let server = try RudeServer { _, client in
            client.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n")
            client.leave()
        }
        let bench = try TransferBench()
        #expect(try bench.fetch(TransferBench.download(server.url())).interruption != nil)
        #expect(bench.done() == nil)
    }

    @Test func `an upload begins again at a redirection, and becomes none where the standard says so`() throws
    {
        let body = pattern(2 << 20)
        let server = try RudeServer { request, client in
            switch request.path {
            case "/file": client.answer("307 Temporary Redirect", ["Location: /second"])
            case "/second": client.answer("303 See Other", ["Location: /result"])
            default: client.answer("200 OK", [], Data("thanks".utf8))
            }
        }
        let bench = try TransferBench()
        try bench.makeFolder()
        try body.write(to: URL(fileURLWithPath: bench.folder + "/up-a"))
        let order = TransferBench.download(server.url()) {
            ($0.direction, $0.method, $0.file) = (.upload, "POST", "up-a")
            $0.headers = [TransferHeader("Authorization", "secret"), TransferHeader("X-Empty", "")]
        }
        let result = try bench.finish(order)
        #expect(result.url == server.url("result") && bench.done() == Data("thanks".utf8))
        #expect(server.requests.map(\.method) == ["POST", "POST", "GET"])
        #expect(server.requests.map(\.body) == [body, body, Data()])
        #expect(
            server.requests.allSatisfy {
                $0.headers["authorization"] == "secret" && $0.headers["x-empty"] == ""
            })
    }

    @Test func `what is meant for one host is not said to another`() throws {
        let other = try RudeServer { _, client in client.answer("200 OK") }
        let address = other.url("there")
        let server = try RudeServer { _, client in client.answer("302 Found", ["Location: " + address]) }
        let bench = try TransferBench()
        let order = TransferBench.download(server.url()) {
            $0.headers = ["Authorization", "X-Key", "Accept"].map { TransferHeader($0, "own") }
        }
        _ = try bench.finish(order)
        let request = try #require(other.requests.first)
        #expect(request.headers["authorization"] == nil && request.headers["x-key"] == nil)
        #expect(request.headers["accept"] == "own" && server.requests.first?.headers["x-key"] == "own")
        #expect(request.headers["user-agent"] == "lull/\(LullVersion.text)")
    }

    @Test(arguments: ["99999999999999999999", "-1", "12, 13", "many"])
    func `a length that is none is no end`(length: String) throws {
        let server = try RudeServer { _, client in
            client.say("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello")
            client.leave()
        }
        let bench = try TransferBench()
        guard case .interrupted = try bench.fetch(TransferBench.download(server.url())) else {
            Issue.record("\(bench.news)")
            return
        }
        #expect(bench.done() == nil)
    }

    @Test func `what the process lacks for a while is no failure`() throws {
        let server = try RudeServer { _, client in client.answer("200 OK", [], Data("x".utf8)) }
        let bench = try TransferBench()
        _ = try bench.finish(TransferBench.download(server.url()), id: 1)
        let process = try #require(try bench.processes.numbers.first)
        // The process keeps its open files, and gets no more.
        func allow(_ limit: Int) throws {
            let program = try Process.run(
                URL(fileURLWithPath: "/usr/bin/prlimit"),
                arguments: ["--pid", "\(process)", "--nofile=\(limit):"])
            program.waitUntilExit()
            #expect(program.terminationStatus == 0)
        }
        try allow(3)
        let order = TransferBench.download(server.url())
        guard case .interrupted(let sentence, _, _) = try bench.fetch(order, id: 2) else {
            Issue.record("\(bench.news)")
            return
        }
        #expect(sentence.contains("at the moment: Too many open files"))
        try allow(256)
        _ = try bench.finish(order, id: 2)
    }

    @Test func `a body is posted`() throws {
        let server = try RudeServer { request, client in client.answer("200 OK", [], request.body) }
        let bench = try TransferBench()
        let order = TransferBench.download(server.url()) {
            ($0.method, $0.body) = ("POST", TransferBody([0, 1, 255]))
            $0.headers = [TransferHeader("Content-Type", "application/octet-stream")]
        }
        let result = try bench.finish(order)
        #expect(bench.done() == Data([0, 1, 255]) && result.sent == 3)
    }

    @Test(arguments: [
        "file:///etc/passwd", "gopher://127.0.0.1/", "http://", "nonsense", "http://127.0.0.1/a b",
    ])
    func `what is no URL of http fails for good`(url: String) throws {
        let bench = try TransferBench()
        #expect(try bench.fetch(TransferBench.download(url)).failure?.code == TransferFailure.Code.badURL)
    }

    @Test func `a password goes to the server that asked for it, and to no other`() throws {
        let other = try RudeServer { _, client in
            client.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"the pit\""])
        }
        let address = other.url()
        let server = try RudeServer { request, client in
            request.number == 0
                ? client.answer("401 Unauthorized", ["WWW-Authenticate: Basic realm=\"the cave\""])
                : client.answer("302 Found", ["Location: " + address])
        }
        let bench = try TransferBench()
        let order = TransferBench.download(server.url()) { $0.asksChallenges = true }
        #expect(try bench.fetch(order).challenge?.realm == "the cave")
        let answer = TransferAnswer.credential(user: "Aladdin", password: "open sesame")
        let second = try #require(try bench.fetch(order, answer: answer).challenge)
        #expect(second.realm == "the pit" && second.failures == 0)
        #expect(other.requests.allSatisfy { $0.headers["authorization"] == nil })
    }

    @Test func `a redirection to a file of this machine is refused`() throws {
        let server = try RudeServer { _, client in
            client.answer("302 Found", ["Location: file:///etc/passwd"])
        }
        let bench = try TransferBench()
        #expect(
            try bench.fetch(TransferBench.download(server.url())).failure?.code == TransferFailure.Code.badURL
        )
    }

    @Test func `a header can't smuggle another`() throws {
        let server = try RudeServer { _, client in client.answer("200 OK") }
        let bench = try TransferBench()
        for (id, header) in [
            (UInt64(1), TransferHeader("X", "a\r\nY: b")), (2, TransferHeader("X\r\nY", "b")),
        ] {
            let order = TransferBench.download(server.url()) { $0.headers = [header] }
            #expect(try bench.fetch(order, id: id).failure?.code == TransferFailure.Code.badURL)
        }
        #expect(server.requests.isEmpty)
    }
}
