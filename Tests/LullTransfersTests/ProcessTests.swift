import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullTransfers

/// The transfer process as the host sees it.
struct ProcessTests {
    @Test func `a program that is not there interrupts what was to begin`() throws {
        let bench = try TransferBench(executable: "/nowhere/lull-transfer")
        let news = try bench.fetch(TransferBench.download("http://127.0.0.1/"))
        #expect(
            news.interruption?.sentence
                == "There is no '/nowhere/lull-transfer'. Install lull-transfer beside lull.")
    }

    @Test func `a program of another kind is no harm`() throws {
        let bench = try TransferBench(executable: "/bin/true")
        let news = try bench.fetch(TransferBench.download("http://127.0.0.1/"))
        #expect(news.interruption?.sentence == "lull-transfer exited with 0.")
    }

    @Test func `a process that hangs is ended, and another goes on`() throws {
        let server = try RudeServer { _, client in
            client.answer("200 OK", [], Data("a".utf8), length: 5)
            client.stall()
        }
        let bench = try TransferBench(asksEvery: .milliseconds(20))
        try bench.begin(TransferBench.download(server.url()))
        let number = try #require(bench.processes.numbers.first)
        kill(number, SIGSTOP)
        let sentence = try bench.end().interruption?.sentence
        #expect(sentence?.hasSuffix("so Lull ended it.") == true)
        #expect(bench.logged.contains { $0.hasPrefix("lull-transfer (process \(number)) did not answer") })
        #expect(try !bench.processes.numbers.contains(number))
    }

    @Test func `a process without work that does not end when it is let go is ended`() throws {
        let server = try RudeServer { _, client in client.answer("200 OK", [], Data("new".utf8)) }
        let bench = try TransferBench(keepsIdle: .zero, asksEvery: .milliseconds(20))
        try bench.begin(TransferBench.download(server.url()))
        let number = try #require(bench.processes.numbers.first)
        kill(number, SIGSTOP)
        try bench.processes.stop(TransferID(1), keepsPart: true)
        try bench.waitUntilIdle()
        #expect(kill(number, 0) == -1)
    }

    @Test func `a process answers when it is asked`() throws {
        let bench = try TransferBench()
        let spawn = try TransferSpawn(
            TransferBench.executable, mark: try #require(bench.mark), environment: ["PATH=/usr/bin:/bin"])
        var frames: [ProcessFrame?] = []
        let socket = try FrameSocket(spawn.socket, on: bench.loop) {
            frames.append(ProcessFrame($0))
            if frames.count == 3 { bench.loop.stop() }
        } ended: {
            bench.loop.stop()
        }
        for frame in [TransferFrame.user(nil), .folder(bench.folder), .confine, .ask, .ask] {
            socket.send(try #require(frame.encoded()))
        }
        bench.loop.run()
        #expect(frames == [.hello(version: ProcessFrame.version), .alive, .alive])
        socket.close()
        close(spawn.errors)
        waitpid(spawn.pid, nil, 0)
        close(spawn.pidfd)
    }

    @Test func `a folder that is a link is not used`() throws {
        let bench = try TransferBench()
        try FileManager.default.createSymbolicLink(atPath: bench.folder, withDestinationPath: "/tmp")
        let news = try bench.fetch(TransferBench.download("http://127.0.0.1/"))
        #expect(news.interruption?.sentence == "The transfers' folder \(bench.folder) can't be used.")
        try bench.run { !bench.logged.isEmpty }
        #expect(
            bench.logged.first?.hasPrefix("The transfers' folder \(bench.folder) can't be used: ") == true)
    }

    @Test func `a file that is a link, or somebody else's, is not used`() throws {
        let server = try RudeServer { _, client in client.answer("200 OK", [], Data("new".utf8)) }
        let bench = try TransferBench()
        try bench.makeFolder()
        let victim = try bench.temporary.file("victim", "old")
        try FileManager.default.createSymbolicLink(
            atPath: bench.folder + "/1.part", withDestinationPath: victim)
        try FileManager.default.createSymbolicLink(
            atPath: bench.folder + "/2.json", withDestinationPath: victim)
        try FileManager.default.linkItem(atPath: victim, toPath: bench.folder + "/3.part")
        for id in UInt64(1)...3 {
            let code = try bench.fetch(TransferBench.download(server.url()), id: id).failure?.code
            #expect(code.map { [-3000, -3003].contains($0) } == true)
        }
        #expect(FileManager.default.contents(atPath: victim) == Data("old".utf8))
    }

    @Test func `files that the app has forged end no process`() throws {
        let server = try RudeServer { request, client in
            guard request.headers["range"] != nil else {
                return client.answer("200 OK", [#"ETag: "one""#], Data("new".utf8))
            }
            client.answer("206 Partial Content", ["Content-Range: bytes 5-7/*"], Data("new".utf8))
        }
        let bench = try TransferBench()
        try bench.makeFolder()
        for (id, total) in [(1, "-9223372036854775808"), (2, "9223372036854775807"), (3, "8")] {
            let side =
                #"{"version":1,"url":"\#(server.url())","status":200,"headers":"","total":\#(total),"#
                + #""validator":"\"one\"","sent":9223372036854775807}"#
            _ = FileManager.default.createFile(
                atPath: bench.folder + "/\(id).json", contents: Data(side.utf8),
                attributes: [.posixPermissions: 0o600])
            _ = FileManager.default.createFile(
                atPath: bench.folder + "/\(id).part", contents: Data("12345".utf8),
                attributes: [.posixPermissions: 0o600])
        }
        try FileManager.default.createSymbolicLink(
            atPath: bench.folder + "/4.done", withDestinationPath: "/etc/passwd")
        for id in UInt64(1)...4 {
            try bench.begin(TransferBench.download(server.url()), id: id)
            _ = try bench.end(of: id)
        }
        #expect(bench.done(1) == Data("new".utf8) && bench.logged.isEmpty)
        #expect(try bench.processes.numbers.count == 1)
    }

    @Test func `a redirection that is too long to be told fails at once`() throws {
        let server = try RudeServer { _, client in
            let place = "http://127.0.0.1/" + String(repeating: "a", count: 20_000)
            client.answer("302 Found", ["Location: " + place])
        }
        let bench = try TransferBench()
        #expect(try bench.fetch(TransferBench.download(server.url())).failure?.code == -1000)
    }

    @Test(.enabled(if: geteuid() == 0, "only root becomes another user"))
    func `a process of a root host is the app's user, and sees nothing but its folders`() throws {
        let server = try RudeServer { _, client in
            client.answer("200 OK", [], Data("a".utf8), length: 5)
            client.stall()
        }
        let bench = try TransferBench()
        try bench.makeFolder()
        chown(bench.temporary.path, 61_234, 61_234)
        chown(bench.folder, 61_234, 61_234)
        let order = TransferBench.download(server.url())
        let user = TransferUser(number: 61_234, group: 61_234)
        try bench.begin(order, as: user)
        try bench.begin(order, id: 2, as: user)
        let number = try #require(bench.processes.numbers.first)
        // The second begins after the first is under way: what is said of it is true of both.
        try bench.processes.stop(TransferID(1), keepsPart: true)
        var small = order
        small.url = "nonsense"
        try bench.begin(small, id: 3, as: user)
        #expect(try bench.end(of: 3).failure != nil)
        let status = try String(contentsOfFile: "/proc/\(number)/status", encoding: .utf8)
        #expect(status.contains("Uid:\t61234\t61234\t61234\t61234") && status.contains("Groups:\t \n"))
        #expect(status.contains("CapEff:\t0000000000000000") && status.contains("NoNewPrivs:\t1"))
        #expect(try bench.processes.numbers.count == 1)
    }
}
