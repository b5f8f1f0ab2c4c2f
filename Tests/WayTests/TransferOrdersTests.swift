import Foundation
import TestSupport
import Testing

/// Transfers that apps and operators order, their results, and a host without transfers, which loads nothing for them.
@Suite(.enabled(if: WebServer.isThere, "nginx is not there: apt-get install nginx-light"))
struct TransferOrdersTests {
    @Test func `an app without transfers is refused, and told what to write`() throws {
        let bench = try TransferBench()
        try bench.write(urls: [bench.server.url("file")], nil)
        try bench.start()
        try bench.launch("begin")
        try bench.wait(for: 1, "completed")
        let refusal = "com.example.Files may not transfer anything. Write `transfers: {}` in its entry in "
        let events = bench.transferEvents
        #expect(events.count == 1 && events[0].hasPrefix("completed file: \(refusal)"), "\(events)")
        #expect(try bench.workshop.lull("history", "--event", "refused").output.unwrapped.contains(refusal))
        #expect(try bench.children("lull-transfer").isEmpty && bench.server.log.isEmpty)
        try bench.stop()
    }

    @Test func `an operator sees transfers, and pauses, resumes and cancels them`() throws {
        let bench = try TransferBench()
        // The server sends a part of each file and stops: however slow the commands are, both downloads are still under way.
        let server = try RudeServer { _, client in
            client.answer("200 OK", [], Data(repeating: 1, count: 10_000), length: 400_000)
            client.stall()
        }
        try bench.write(urls: ["one", "two"].map { server.url($0) }, "{}")
        try bench.start()
        try bench.launch("begin")
        let workshop = bench.workshop
        try bench.wait { try workshop.lull("transfers").output.contains("2 transfers: 2 run") }
        #expect(try workshop.lull("why", "t1").output.contains("t1, a download of"))

        let paused = try workshop.lull("transfers", "pause", "t1")
        #expect(paused.status == 0, "\(paused.error)")
        #expect(try bench.transfers.contains("\"paused\""))
        #expect(
            try workshop.lull("why", "t1").output.unwrapped.contains("has paused it: `lull transfers resume"))
        let resumed = try workshop.lull("transfers", "resume", "t1")
        #expect(resumed.status == 0, "\(resumed.error)")
        try bench.wait { try !bench.transfers.contains("\"paused\"") }
        let cancelled = try workshop.lull("transfers", "cancel", "t1", "t2")
        #expect(cancelled.status == 0, "\(cancelled.error)")
        try bench.wait(for: 2, "completed")
        let events = bench.transferEvents
        #expect(events.count == 2 && !events.contains { $0.hasSuffix("no error") }, "\(events)")
        try bench.wait { try bench.count("taken") == 2 && bench.files.isEmpty }
        for act in ["asked", "paused", "resumed", "cancelled"] {
            #expect(try bench.count(act) == (["asked", "cancelled"].contains(act) ? 2 : 1), "\(act)")
        }
        let history = try workshop.lull("history", "--event", "transfer").output.unwrapped
        #expect(history.contains("an operator cancelled it"), "\(history)")
        withExtendedLifetime(server) {}
        try bench.stop()
    }

    @Test func `how much had come when a host was killed is shown by the next one, also of what waits`()
        throws
    {
        let bench = try TransferBench()
        let server = try RudeServer { _, client in
            client.answer("200 OK", [], Data(repeating: 1, count: 10_000), length: 400_000)
            client.stall()
        }
        try bench.write(urls: [server.url()], "{}")
        try bench.start()
        try bench.launch("begin")
        let part = bench.folder + "/.transfers/1.part"
        try bench.wait { FileManager.default.contents(atPath: part)?.count == 10_000 }
        try bench.killHost()
        #expect(try bench.workshop.lull("transfers", "pause", "t1").status == 0)
        try bench.start()
        let shown = try bench.workshop.lull("transfers").output
        #expect(shown.contains("paused") && shown.contains("9.77 KiB"), "\(shown)")
        withExtendedLifetime(server) {}
        try bench.stop()
    }

    @Test func `an upload whose file is deleted at once arrives whole, and once`() throws {
        let bench = try TransferBench()
        let file = bench.folder + "/report"
        try bench.write(
            urls: [], "{}", settings: ", upload: \(bench.server.url("put/report")), file: \(file)")
        try bench.start()
        let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try data.write(to: URL(fileURLWithPath: file))
        let owner = try FileManager.default.attributesOfItem(atPath: bench.folder)[.ownerAccountID]
        try FileManager.default.setAttributes([.ownerAccountID: owner ?? geteuid()], ofItemAtPath: file)
        try bench.launch("begin")
        try bench.wait(for: 1, "completed")
        #expect(bench.transferEvents == ["answered 5 bytes", "completed report: no error"])
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(bench.server.bodies == [data])
        try bench.server.waitForLog(of: 1)
        #expect(bench.server.log.count == 1 && bench.server.log[0].hasPrefix("POST /put/report 201"))
        try bench.wait { bench.files.isEmpty }

        // The host has not loaded libcurl, and the process that has ends when it has no work.
        let host = try #require(bench.host).process.processIdentifier
        #expect(try !Processes.maps("libcurl", in: host))
        try bench.wait { try bench.children("lull-transfer").isEmpty }
        try bench.stop()
    }

    @Test func `a host that transfers nothing has nothing of it`() throws {
        let workshop = try Workshop()
        try workshop.compile("Tasks", as: "Tasks")
        try workshop.write(
            """
            version: 1
            apps:
              com.example.Plain:
                plugin: Tasks
                idle_after: never
                tasks:
                  succeed: { kind: processing, requires: { idle: false } }
            """, to: "jobs.yaml")
        let host = try workshop.start("run", "jobs.yaml")
        try host.waitForLine(containing: "discovered com.example.Plain")
        #expect(try workshop.lull("launch", "com.example.Plain.succeed").status == 0)
        let number = host.process.processIdentifier
        let workers = try Processes.descendants(of: number, named: "lull-worker")
        #expect(workers.count == 1)
        for process in workers + [number] { #expect(try !Processes.maps("libcurl", in: process)) }
        #expect(try Processes.descendants(of: number, named: "lull-transfer").isEmpty)
        host.send(SIGTERM)
        #expect(host.end() == 0)
    }
}
