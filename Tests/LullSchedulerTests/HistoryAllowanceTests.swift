import LullModel
import Testing

@testable import LullScheduler

/// An app's growth of the history is limited, and counts against the app when the disk is short.
struct HistoryAllowanceTests {
    private static let transfers = Sample.task("com.example.Feed.transfers")

    /// Feed may transfer, and Other has a run under way.
    private func host() -> TestHost {
        var host = TestHost(
            Sample.manifest([
                Sample.definition(Self.transfers, .transfers),
                Sample.definition(Sample.cleaning, .processing) { $0.requires.idle = false },
                Sample.definition(Sample.otherWork, of: Sample.other, .processing) {
                    $0.requires.idle = false
                },
            ]) {
                $0.transfers = TransferRules()
                $0.notifications = true
            })
        host.handle(.diskLooked(DiskRoom(bytes: 100 << 20), isFull: false))
        _ = host.submit(Sample.otherWork)
        host.handle(.diskLooked(DiskRoom(bytes: 100 << 20), isFull: false))
        for run in host.running { host.handle(.launchReturned(run)) }
        return host
    }

    private func order(_ ordinal: UInt64, session: String = "main") -> TransferOrder {
        TransferOrder(
            session: session, ordinal: ordinal, direction: .download, url: "https://example.com/\(ordinal)",
            headers: Array(repeating: TransferHeader("x", String(repeating: "y", count: 2000)), count: 20))
    }

    private func ask(
        _ ordinal: UInt64, _ host: inout TestHost, of app: AppIdentifier = Sample.feed
    ) -> Reply? {
        host.tell { .transferAsked(app, order(ordinal), reply: $0) }
    }

    /// Submits transfer orders, cancels and takes each at once, until one is refused.
    private func flood(_ host: inout TestHost, most: Int = 5000) -> (accepted: Int, refusal: Refusal?) {
        for count in 0..<most {
            let ordinal = UInt64(host.state.ledger.transfers.next)
            switch ask(ordinal, &host) {
            case .transfer(let id)?:
                _ = host.tell { .transferActed(Sample.feed, id, .cancel, reply: $0) }
                _ = host.tell { .transferActed(Sample.feed, id, .taken, reply: $0) }
            case .refused(let refusal)?: return (count, refusal)
            default: return (count, nil)
            }
        }
        return (most, nil)
    }

    @Test func `bytes drain at a steady rate, and a debt is waited for`() {
        var allowance = HistoryAllowance()
        let start = MonotonicTime(nanoseconds: 7)
        allowance.charge(Limits.historyBytesAtOnce, at: start)
        #expect(allowance.wait(at: start) == nil)
        allowance.charge(10 * Limits.historyBytesPerSecond, at: start)
        #expect(allowance.wait(at: start) == .milliseconds(10_001))
        #expect(allowance.wait(at: start + .seconds(4)) == .milliseconds(6001))
        #expect(allowance.wait(at: start + .seconds(10)) == nil)
        // Events that come all the time do not keep it from draining.
        for tenth in 0..<200 { allowance.charge(1, at: start + .milliseconds(tenth * 100)) }
        #expect(allowance.wait(at: start + .seconds(20)) == nil)
        let kept = allowance.growth(at: start + .seconds(20))
        #expect(kept > Int64(Limits.historyBytesAtOnce))
        #expect(kept - allowance.growth(at: start + .days(1)) > Int64(Limits.historyBytesADay) * 99 / 100)
        #expect(allowance.growth(at: start + .days(400)) == 0)
        allowance.release(Limits.historyBytesAtOnce * 2, at: start + .seconds(20))
        #expect(allowance.growth(at: start + .seconds(20)) == 0)
    }

    @Test(arguments: [("\u{7F}", 6), ("\u{9B}", 6), ("\u{2066}", 6), ("é", 2), ("a", 1)])
    func `what is escaped in the history counts as it is written`(character: String, bytes: Int) {
        func size(_ text: String) -> Int {
            var order = order(1)
            order.headers = [TransferHeader("x", text)]
            var event = HistoryEvent(.transfer, at: TestHost.monday, app: Sample.feed)
            event.transfer = .asked(TransferID(1), order)
            return event.bytes
        }
        #expect(size(String(repeating: character, count: 100)) - size("") == 100 * bytes)
    }

    @Test func `orders are refused by their bytes long before they are too many`() throws {
        var host = host()
        host.state.apps[Sample.feed]?.history.charge(40 << 20, at: host.now.monotonic)
        let (accepted, refusal) = flood(&host)
        // Some 40 KB each, for the 8 MiB that are left.
        #expect((180..<220).contains(accepted))
        let sentence = try #require(refusal?.sentence)
        #expect(
            sentence.hasPrefix(
                "com.example.Feed records too much in the history: after a burst of 48 MiB it may record 16 KiB a second."
            ))
        // The app's notifications are refused, too, and another app is not held back.
        let token = host.token()
        host.handle(
            .notificationAdded(
                Sample.feed, AppNotification(identifier: "a", text: NoticeText(title: "t")), reply: token))
        #expect(host.records.last?.event == .refused)
        guard case .transfer? = ask(1, &host, of: Sample.other) else {
            Issue.record("another app is held back")
            return
        }
        host.advance(.seconds(30))
        #expect(flood(&host).accepted > 5)
    }

    @Test func `a short disk names who has grown the history, and nobody else`() throws {
        var host = host()
        for ordinal: UInt64 in 1...500 { _ = ask(ordinal, &host) }
        host.handle(.diskLooked(DiskRoom(bytes: 2 << 20), isFull: false))
        // The other app keeps the most, but has written little of it since its run began.
        host.handle(
            .foldersLooked(
                [Sample.other: FolderUse(bytes: 90 << 20, files: 9, changedBytes: 1 << 20)], isAll: true))
        let named = host.records.filter { $0.event == .violation }
        #expect(named.map(\.app) == [Sample.feed])
        let sentence = try #require(named.first?.reason)
        #expect(sentence.contains("MiB of its requests, messages and output in the history"))
        #expect(host.running.count == 1 && !host.records.contains { $0.event == .expired })
        let remark = try #require(host.state.report(at: host.now).remarks?.first)
        #expect(remark.contains(sentence) && !remark.contains("com.example.Other"))
        _ = host.submit(Sample.cleaning)
        #expect(host.closed(Sample.cleaning) == [.folder])
        let refusal = Refusal(.unavailable, sentence + ". Ask again when there is room.")
        #expect(ask(501, &host) == .refused(refusal))
        host.handle(.diskLooked(DiskRoom(bytes: 64 << 20), isFull: false))
        #expect(host.launches(of: Sample.cleaning).count == 1)
    }

    @Test func `what its runs print counts as well`() {
        var host = host()
        host.handle(.outputKept([Sample.feed: 9 << 20, Sample.other: 7]))
        host.handle(.diskLooked(DiskRoom(bytes: 10 << 20), isFull: false))
        host.handle(.foldersLooked([Sample.other: FolderUse(bytes: 90 << 20, files: 9)], isAll: true))
        #expect(host.state.diskCulprits == [Sample.feed])
    }

    @Test func `what an app has taken is not held against it`() {
        var host = host()
        _ = flood(&host, most: 100)
        host.handle(.diskLooked(DiskRoom(bytes: 2 << 20), isFull: false))
        host.handle(.foldersLooked([Sample.other: FolderUse(bytes: 90 << 20, files: 9)], isAll: true))
        #expect(host.state.diskCulprits.isEmpty)
    }
}
