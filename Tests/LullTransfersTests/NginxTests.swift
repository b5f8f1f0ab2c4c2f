import CLullCurl
import Foundation
import LullModel
import LullSystem
import TestSupport
import Testing

@testable import LullTransfers

/// Transfers with a well-behaved server.
@Suite(.enabled(if: Nginx.isThere, Nginx.absence), .serialized)
struct NginxTests {
    let nginx: Nginx
    let data = pattern(3 << 19)

    init() throws {
        nginx = try Nginx()
        try nginx.serve("file", data)
    }

    @Test func `a file comes as it is, is private, and is whole under its name`() throws {
        let bench = try TransferBench()
        let result = try bench.finish(TransferBench.download(nginx.url("file")))
        #expect(
            result.status == 200 && result.received == Int64(data.count) && result.url == nginx.url("file"))
        #expect(result.headers.value("content-length") == "\(data.count)")
        #expect(bench.done() == data)
        #expect(bench.files == ["1.done", "1.json"])
        for path in ["", "/1.done", "/1.json"] {
            let mode = try FileManager.default.attributesOfItem(atPath: bench.folder + path)[
                .posixPermissions]
            #expect(mode as? Int == (path.isEmpty ? 0o700 : 0o600))
        }
    }

    @Test(arguments: [SIGKILL: "was ended by signal 9", SIGTERM: "exited with 0"])
    func `what is killed amid goes on where it was`(signal: Int32, how: String) throws {
        let bench = try TransferBench()
        let order = TransferBench.download(nginx.url("held/file"))
        try bench.begin(order)
        try bench.waitForProgress()
        try bench.killProcess(by: signal)
        let sentence = try #require(try bench.end().interruption?.sentence)
        #expect(sentence == "lull-transfer \(how).")
        #expect(bench.news.count { !$0.news.isProgress } == 1)
        let part = try #require(bench.part())
        #expect(!part.isEmpty && part.count < data.count && data.starts(with: part))
        #expect(try bench.finish(order).status == 200)
        #expect(bench.done() == data)
        try nginx.waitForLog(of: "206 ")
        #expect(
            nginx.log.last { $0.hasPrefix("206") }
                == "206 \"bytes=\(part.count)-\" \(data.count - part.count) HTTP/1.1")
    }

    @Test func `all of an app's transfers together keep to its rate`() throws {
        let rate: Int64 = 1 << 20
        let rules = TransferRules(rate: rate)
        let bench = try TransferBench()
        let began = Clock.monotonic
        for id in UInt64(1)...2 {
            try bench.begin(TransferBench.download(nginx.url("file")), id: id, rules: rules)
        }
        var excess = Int64.min
        try bench.run {
            // A delay of the news makes this smaller.
            let elapsed = (Clock.monotonic - began).milliseconds
            excess = max(excess, bench.received - rate * elapsed / 1000)
            return bench.news.count { !$0.news.isProgress } == 2
        }
        // A second's worth may come at once.
        #expect(excess <= rate, "\(excess)")
        #expect(bench.done(1) == data && bench.done(2) == data)
    }

    @Test func `what is whole is not fetched again`() throws {
        let bench = try TransferBench()
        let order = TransferBench.download(nginx.url("file"))
        let first = try bench.finish(order)
        try bench.killProcess()
        #expect(try bench.finish(order) == first)
        try nginx.waitForLog()
        #expect(nginx.log.count == 1)
    }

    /// A slow server, which causes progress all the time.
    private static func trickle(_ data: Data, to client: RudeServer.Client, until goOn: DispatchSemaphore) {
        client.answer("200 OK", [], Data(), length: data.count)
        var rest = data[...]
        while rest.count > 1024, goOn.wait(timeout: .now() + .milliseconds(10)) != .success {
            client.say(rest.prefix(1024))
            rest = rest.dropFirst(1024)
        }
        if rest.count <= 1024 { goOn.wait() }
        client.say(rest)
    }

    @Test func `a process whose host is gone finishes, and another waits for it`() throws {
        let (first, second) = (try TransferBench(), try TransferBench())
        let goOn = DispatchSemaphore(value: 0)
        // The server sends the last byte once the second process is known to wait.
        let server = try RudeServer { [data] in Self.trickle(data, to: $1, until: goOn) }
        let order = TransferBench.download(server.url()) { $0.idleLimit = hangLimit }
        try first.begin(order)
        try first.waitForProgress()
        try first.processes.end()
        // The same folder, as after a restart of the host.
        let start = TransferStart(
            id: TransferID(1), attempt: 1, stem: 1, folder: first.folder, order: order, rules: TransferRules()
        )
        try second.processes.begin(start, app: try #require(TransferBench.app), as: nil)
        try second.waitForProgress()
        goOn.signal()
        try second.run { second.news.contains { !$0.news.isProgress } }
        guard case .finished(let result)? = second.news.last?.news else {
            Issue.record("\(second.news)")
            return
        }
        #expect(result.received == Int64(data.count) && first.done() == data)
        #expect(server.requests.count == 1)
    }

    @Test func `what a host left under way ends for the next one, and what has come stays`() throws {
        let (first, other) = (try TransferBench(), try TransferBench())
        let never = DispatchSemaphore(value: 0)
        defer { for _ in 0..<2 { never.signal() } }
        let server = try RudeServer { [data] in Self.trickle(data, to: $1, until: never) }
        let order = TransferBench.download(server.url()) { $0.idleLimit = hangLimit }
        for bench in [first, other] {
            try bench.begin(order)
            try bench.waitForProgress()
        }
        try first.processes.end()
        #expect(TransferOrphans.end(mark: try #require(first.mark)) == 1)
        try first.waitUntilIdle()
        #expect(TransferOrphans.end(mark: try #require(first.mark)) == 0)
        // The process of another state goes on.
        #expect(try other.processes.numbers.count == 1)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: first.folder).isEmpty)
    }

    @Test func `what the server has not got is a finished transfer`() throws {
        let bench = try TransferBench()
        let result = try bench.finish(TransferBench.download(nginx.url("nothing")))
        #expect(
            result.status == 404
                && bench.done().map { String(decoding: $0, as: UTF8.self).contains("404") } == true)
    }

    @Test func `redirections are followed, and circles are left`() throws {
        let bench = try TransferBench()
        let result = try bench.finish(TransferBench.download(nginx.url("moved/file")))
        #expect(result.url == nginx.url("file") && bench.done() == data)
        let circle = try bench.fetch(TransferBench.download(nginx.url("circle")), id: 2)
        #expect(circle.failure?.code == TransferFailure.Code.redirectionLoop)
    }

    @Test func `hosts that the manifest does not name are left alone, also behind a redirection`() throws {
        let bench = try TransferBench()
        let order = TransferBench.download(nginx.url("elsewhere"))
        let news = try bench.fetch(order, rules: TransferRules(hosts: ["127.0.0.1"]))
        #expect(
            news.failure?.sentence
                == "localhost is not among the hosts that the app may transfer with. "
                + "Add it in jobs.yaml: `transfers: { hosts: [localhost] }`.")
        let first = try bench.fetch(order, id: 2, rules: TransferRules(hosts: ["example.com"]))
        #expect(first.failure?.code == TransferFailure.Code.badURL)
        try nginx.waitForLog()
        #expect(nginx.log.count == 1)
    }

    @Test func `a name that only a pattern permits leads to no address of this machine`() throws {
        let bench = try TransferBench()
        // libcurl resolves these names to this machine itself.
        let url = nginx.url("file").replacing("127.0.0.1", with: "some.localhost")
        let order = TransferBench.download(url)
        let news = try bench.fetch(order, rules: TransferRules(hosts: ["*.localhost"]))
        #expect(news.failure?.code == TransferFailure.Code.badURL)
        let sentence = try #require(news.failure?.sentence)
        #expect(sentence.hasPrefix("some.localhost leads to an address of this"))
        try bench.begin(order, id: 2, rules: TransferRules(hosts: ["*.localhost", "some.localhost"]))
        #expect(try bench.end(of: 2).failure == nil)
        try nginx.waitForLog()
        #expect(nginx.log.count == 1)
    }

    @Test func `a certificate that nobody trusts is the app's affair`() throws {
        let bench = try TransferBench()
        var order = TransferBench.download(nginx.secureURL("file"))
        let news = try bench.fetch(order)
        #expect(news.failure?.code == TransferFailure.Code.serverCertificateUntrusted)
        order.asksChallenges = true
        let challenge = try #require(try bench.fetch(order).challenge)
        #expect(challenge.method == .serverTrust && challenge.host == "127.0.0.1")
        #expect(
            challenge.port == nginx.securePort && challenge.scheme == "https" && !challenge.sentence.isEmpty)
        let refused = try bench.fetch(order, answer: .byDefault)
        #expect(refused.failure?.code == TransferFailure.Code.serverCertificateUntrusted)
        #expect(try bench.finish(order, answer: .trust).status == 200)
        #expect(bench.done() == data)
    }

    @Test func `a certificate of a trusted authority is enough, and HTTP/2 is spoken`() throws {
        let bench = try TransferBench { [nginx] _ in ["SSL_CERT_FILE=" + nginx.authority] }
        #expect(try bench.finish(TransferBench.download(nginx.secureURL("file"))).status == 200)
        try nginx.waitForLog()
        #expect(bench.done() == data && nginx.log.last?.hasSuffix("HTTP/2.0") == true)
    }

    @Test func `who asks for a password gets the app's`() throws {
        let bench = try TransferBench()
        var order = TransferBench.download(nginx.url("secret/file"))
        #expect(try bench.finish(order, id: 2).status == 401)
        order.asksChallenges = true
        let challenge = try #require(try bench.fetch(order).challenge)
        #expect(challenge.method == .basic && challenge.realm == "the cave" && challenge.failures == 0)
        let news = try bench.fetch(order, answer: .credential(user: "Aladdin", password: "no"))
        let wrong = try #require(news.challenge, "\(news)")
        #expect(wrong.failures == 1)
        let right = TransferAnswer.credential(user: "Aladdin", password: "open sesame")
        #expect(try bench.finish(order, answer: right).status == 200)
        #expect(bench.done() == data)
        #expect(try bench.finish(order, id: 3, answer: .byDefault).status == 401)
        #expect(
            try bench.fetch(order, id: 4, answer: .cancel).failure?.code == TransferFailure.Code.cancelled)
    }

    @Test func `a certificate and a password are asked for one after the other, and both answers hold`()
        throws
    {
        let bench = try TransferBench()
        let order = TransferBench.download(nginx.secureURL("secret/file")) { $0.asksChallenges = true }
        #expect(try bench.fetch(order).challenge?.method == .serverTrust)
        #expect(try bench.fetch(order, answer: .trust).challenge?.method == .basic)
        let right = TransferAnswer.credential(user: "Aladdin", password: "open sesame")
        #expect(try bench.finish(order, answer: right).status == 200)
        #expect(bench.done() == data)
    }

    @Test func `an upload is sent, and its answer comes`() throws {
        let bench = try TransferBench()
        try bench.makeFolder()
        try data.write(to: URL(fileURLWithPath: bench.folder + "/up-1"))
        chmod(bench.folder + "/up-1", 0o600)
        var order = TransferBench.download(nginx.url("put/it")) {
            ($0.direction, $0.method, $0.file) = (.upload, "PUT", "up-1")
        }
        let result = try bench.finish(order)
        #expect(
            result.status == 201 && result.sent == Int64(data.count) && bench.done() == Data("taken".utf8))
        order.file = "up-2"
        #expect(try bench.fetch(order, id: 2).failure?.code == TransferFailure.Code.fileDoesNotExist)
        order.file = "../up-1"
        #expect(try bench.fetch(order, id: 3).failure?.code == TransferFailure.Code.fileDoesNotExist)
        try bench.processes.remove(folder: bench.folder, stem: 1, upload: "up-1", as: nil)
        // The process handles frames in order, so this fetch comes after the removal.
        _ = try bench.fetch(order, id: 4)
        #expect(bench.files.allSatisfy { !$0.hasPrefix("1.") && $0 != "up-1" })
    }

    @Test func `what is stopped is silent, and leaves what it is told to`() throws {
        let bench = try TransferBench()
        let order = TransferBench.download(nginx.url("held/file"))
        for id in UInt64(1)...2 {
            try bench.begin(order, id: id)
            try bench.waitForProgress(of: id)
            try bench.processes.stop(TransferID(id), keepsPart: id == 1)
        }
        let count = bench.news.count
        _ = try bench.finish(TransferBench.download(nginx.url("file")), id: 3)
        #expect(bench.news.dropFirst(count).allSatisfy { $0.id == TransferID(3) })
        #expect(bench.files == ["1.json", "1.part", "3.done", "3.json"])
        // The transfer can be resumed.
        #expect(try bench.finish(order, id: 1).status == 200)
        #expect(bench.done() == data)
    }

    @Test func `what a process was killed before removing the next one removes`() throws {
        let bench = try TransferBench()
        let order = TransferBench.download(nginx.url("file"))
        for id in UInt64(1)...3 { _ = try bench.finish(order, id: id) }
        try bench.processes.remove(folder: bench.folder, stem: 1, upload: nil, as: nil)
        // The process handles frames in order, so the running one has removed the first.
        _ = try bench.finish(order, id: 4)
        kill(try #require(bench.processes.numbers.first), SIGSTOP)
        try bench.processes.remove(folder: bench.folder, stem: 2, upload: nil, as: nil)
        try bench.killProcess()
        try bench.waitUntilIdle()
        #expect(bench.files == ["2.done", "2.json", "3.done", "3.json", "4.done", "4.json"])
        _ = try bench.finish(order, id: 4)
        #expect(bench.files == ["3.done", "3.json", "4.done", "4.json"])
    }

    @Test func `a process without work goes, and another comes when there is some`() throws {
        let bench = try TransferBench(keepsIdle: .zero)
        #expect(try bench.processes.numbers.isEmpty)
        _ = try bench.finish(TransferBench.download(nginx.url("file")))
        try bench.waitUntilIdle()
        _ = try bench.finish(TransferBench.download(nginx.url("file")), id: 2)
        try bench.waitUntilIdle()
        #expect(bench.done(2) == data)
    }
}
