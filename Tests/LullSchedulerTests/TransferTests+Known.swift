import LullModel
import Testing

@testable import LullScheduler

/// Transfers keep within their app's `limits: { disk }`; known progress stays known; an app that can't answer isn't asked.
extension TransferTests {
    /// A host whose app may keep 100 bytes in its folder.
    private func limited(keeps bytes: Int64) -> TestHost {
        var manifest = Self.manifest()
        manifest.apps[0].limits.disk = 100
        var host = TestHost(manifest)
        host.handle(.used(Sample.feed, at: host.now.wall))
        look(bytes, on: &host)
        _ = host.take()
        return host
    }

    private func look(_ bytes: Int64, on host: inout TestHost) {
        host.handle(.foldersLooked([Sample.feed: FolderUse(bytes: bytes, files: 1)], isAll: false))
    }

    private func reasons(_ host: TestHost) -> [String] {
        host.state.transferReports(of: Sample.feed, at: host.now).flatMap(\.reasons)
    }

    @Test func `what would fill the app's folder waits until it keeps less`() {
        var host = limited(keeps: 60)
        _ = ask(Self.order { $0.expectedToReceive = 41 }, on: &host)
        #expect(begun(host.take()).isEmpty && host.state.waitsForRoom(Sample.feed))
        #expect(
            reasons(host) == [
                "40 B is left of the app's `limits: { disk }`, and 41 B is to come: delete what it does not need in its folder, "
                    + "or raise `disk` in its `limits` in jobs.yaml"
            ])
        look(59, on: &host)
        #expect(begun(host.take()).map(\.room) == [41] && !host.state.waitsForRoom(Sample.feed))
    }

    @Test func `what others are to bring is counted, and what has come since the last look`() {
        var host = limited(keeps: 0)
        _ = ask(Self.order(1) { $0.expectedToReceive = 60 }, on: &host)
        _ = ask(Self.order(2) { $0.expectedToReceive = 50 }, on: &host)
        let first = begun(host.take())
        #expect(first.map(\.id.number) == [1])
        // The transfer is smaller than expected, and most of it has come.
        hear(.progressed(TransferProgress(received: 40, toReceive: 50)), first.first, on: &host)
        host.handle(.used(Sample.feed, at: host.now.wall))
        hear(
            .finished(TransferResult(status: 200, url: "u", headers: [], received: 50, sent: 0)), first.first,
            on: &host)
        let second = begun(host.take())
        #expect(second.map(\.id.number) == [2] && second.first?.room == 50)
    }

    @Test func `what a server says of the length is remembered, and nothing is begun in vain`() {
        var host = limited(keeps: 90)
        _ = ask(on: &host)
        let start = begun(host.take()).first
        hear(.progressed(TransferProgress(received: 0, toReceive: 11)), start, on: &host)
        hear(.interrupted(sentence: "No room.", retryAfter: nil, received: 0), start, on: &host)
        host.pass(.hours(2))
        #expect(begun(host.take()).isEmpty && host.state.waitsForRoom(Sample.feed))
        look(89, on: &host)
        #expect(begun(host.take()).count == 1)
    }

    @Test func `a full folder begins nothing, and what is larger than the limit is refused`() {
        var host = limited(keeps: 100)
        _ = ask(on: &host)
        #expect(begun(host.take()).isEmpty && reasons(host).first?.contains("and more is to come") == true)
        #expect(
            refusal(ask(Self.order(2) { $0.expectedToReceive = 101 }, on: &host))
                == "com.example.Feed expects 101 B, but may keep only 100 B in its folder. Raise `disk` in its `limits` in jobs.yaml."
        )
    }

    @Test func `how far it was is shown until it goes on, and it goes on from there`() {
        var host = host()
        _ = ask(on: &host)
        let start = begun(host.take()).first
        hear(.progressed(TransferProgress(received: 40, toReceive: 100)), start, on: &host)
        // Its process was killed, and can't report its progress.
        hear(
            .interrupted(sentence: "lull-transfer was ended by signal 9.", retryAfter: nil, received: 0),
            start,
            on: &host)
        let shown = { (host: TestHost) in
            host.state.transferReports(of: Sample.feed, at: host.now).first?.state
        }
        #expect(shown(host)?.share == 0.4 && shown(host)?.phase == .waiting)
        host.pass(.seconds(5))
        let second = begun(host.take()).first
        #expect(second != nil && shown(host)?.share == 0.4 && shown(host)?.phase == .active)
        hear(.progressed(TransferProgress(received: 60, toReceive: 100)), second, on: &host)
        _ = act(.suspend, on: &host)
        #expect(shown(host)?.share == 0.6 && shown(host)?.phase == .paused)
    }

    @Test func `what a host that was killed had received is shown, counted once, and kept`() {
        var host = limited(keeps: 60)
        let order = Self.order { $0.expectedToReceive = 70 }
        _ = ask(order, on: &host)
        #expect(begun(host.take()).isEmpty)
        // 35 of the 60 bytes in the folder are its own.
        host.handle(
            .transferNews(
                TransferID(1), attempt: TransferNews.found, .progressed(TransferProgress(received: 35))))
        let shown = host.state.transferReports(of: Sample.feed, at: host.now).first?.state
        #expect(shown?.progress.received == 35 && shown?.phase == .waiting)
        look(60, on: &host)
        #expect(begun(host.take()).map(\.room) == [40])
        _ = act(.suspend, on: &host)
        _ = act(.cancelKeeping, on: &host)
        #expect(host.state.ledger.transfers.records[TransferID(1)]?.keepsPart == true)
    }

    @Test func `an app that has nothing that answers is launched for it once, until its plugin changes`()
        throws
    {
        var host = host()
        func challenge(_ method: TransferChallenge.Method) -> TransferChallenge {
            TransferChallenge(method: method, host: "example.com", port: 443, scheme: "https", failures: 0)
        }
        for id in UInt64(1)...2 {
            _ = ask(Self.order(id) { $0.asksChallenges = true }, on: &host)
            hear(.challenged(challenge(.basic)), begun(host.take()).first, on: &host)
            if id == 1 {
                _ = host.tell { .transferAnswered(Sample.feed, TransferID(1), .nobody, reply: $0) }
                #expect(begun(host.take()).first?.answers.last?.answer == .nobody)
            }
        }
        #expect(begun(host.take()).first?.answers.last?.answer == .byDefault)
        #expect(
            host.records.last { $0.transfer != nil }?.reason == "the app does not answer challenges")
        // Challenges for server trust, and those of other sessions, are judged apart.
        #expect(host.state.ledger.transfers.isUnanswered(challenge(.digest), of: TransferID(2)))
        #expect(!host.state.ledger.transfers.isUnanswered(challenge(.serverTrust), of: TransferID(2)))
        _ = ask(Self.order(3) { $0.session = "other" }, on: &host)
        #expect(!host.state.ledger.transfers.isUnanswered(challenge(.basic), of: TransferID(3)))
        var ledger = try Packed.decode(Ledger.self, from: Packed.encode(host.state.ledger))
        #expect(ledger == host.state.ledger)
        var event = HistoryEvent(.discovered, at: host.now.wall, app: Sample.feed)
        event.stamp = "another"
        ledger.apply(event, zones: .utc)
        #expect(!ledger.transfers.isUnanswered(challenge(.basic), of: TransferID(2)))
    }
}
