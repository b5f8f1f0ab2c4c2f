import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullTransfers

/// The room that `limits: { disk }` leaves in an app's folder is the limit for its transfers.
struct FolderRoomTests {
    private static let data = pattern(400_000)

    @Test func `what would fill the app's folder is left, before it comes and while it does`() throws {
        let server = try RudeServer { request, client in
            guard request.path == "/chunked" else { return client.answer("200 OK", [], Self.data) }
            client.say("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<5 { client.say("a\r\n0123456789\r\n") }
            client.say("0\r\n\r\n")
        }
        let bench = try TransferBench()
        let size = Int64(Self.data.count)
        try bench.begin(TransferBench.download(server.url()), room: size - 1)
        let told = try #require(try bench.end().interruption)
        #expect(
            told.received == 0 && told.sentence.hasSuffix("or raise `disk` in its `limits` in jobs.yaml."))
        // With this news the host waits without another request.
        #expect(bench.news.first?.news == .progressed(TransferProgress(toReceive: size)))
        try bench.begin(TransferBench.download(server.url("chunked")), id: 2, room: 49)
        #expect(try bench.end(of: 2).interruption?.sentence.contains("and more is to come") == true)
        #expect(bench.part(2)?.count ?? 0 < 50)
        try bench.begin(TransferBench.download(server.url()), id: 3, room: size)
        #expect(try bench.end(of: 3).isProgress == false && bench.done(3) == Self.data)
    }

    @Test func `transfers of one app share the room in its folder`() throws {
        let server = try RudeServer { request, client in
            guard request.path == "/slow" else { return client.answer("200 OK", [], Self.data) }
            client.answer("200 OK", [], Self.data.prefix(10), length: Self.data.count)
            client.stall()
        }
        let bench = try TransferBench()
        let room = Int64(2 * Self.data.count - 1)
        try bench.begin(TransferBench.download(server.url("slow")), room: room)
        // The response's head has arrived when its part is there; until then the test fetches others.
        while bench.part()?.count != 10 { _ = try bench.finish(TransferBench.download(server.url()), id: 3) }
        try bench.begin(TransferBench.download(server.url()), id: 2, room: room - 10)
        #expect(try bench.end(of: 2).interruption?.sentence.contains("is left of the app's") == true)
        try bench.begin(TransferBench.download(server.url()), id: 2, room: room - 9)
        #expect(try bench.end(of: 2).interruption == nil && bench.done(2) == Self.data)
    }
}
