import Foundation
import LullModel
import TestSupport
import Testing

@testable import LullHistory

/// The history keeps an app's order of a transfer for as long as a host may need it, and no longer.
struct OpenTransfersTests {
    private static let secret = TransferHeader(
        "Authorization", "Bearer " + String(repeating: "s", count: 900))

    private func event(
        _ note: TransferNote, minute: Int = 0, app: AppIdentifier? = nil
    ) throws -> HistoryEvent {
        var event = HistoryEvent(.transfer, at: Sample.start + .minutes(minute), app: try app ?? Sample.app())
        event.transfer = note
        return event
    }

    private func order(_ ordinal: UInt64) -> TransferOrder {
        var order = TransferOrder(
            session: "main", ordinal: ordinal, direction: .download, url: "https://example.com/a?key=1",
            headers: Array(repeating: Self.secret, count: 25), body: TransferBody([1, 2, 3]),
            label: String(repeating: "l", count: 5000))
        order.resumes = TransferID(7)
        return order
    }

    private func result() -> TransferResult {
        TransferResult(
            status: 200, url: "https://example.com/b?key=2", headers: [Self.secret], received: 5, sent: 0)
    }

    @Test(arguments: Twin.allCases)
    func `once the app has been told, what only the host needed is gone`(_ twin: Twin) throws {
        let folder = try TemporaryFolder()
        let history = try twin.make(in: folder)
        let id = TransferID(3)
        let asked = try event(.asked(id, order(1)))
        let finished = try event(.finished(id, result()))
        try history.append(HistoryBatch(events: [asked]))
        try history.append(HistoryBatch(events: [finished, try event(.taking(id))]))
        #expect(try history.events().prefix(2) == [asked, finished])
        try history.append(HistoryBatch(events: [try event(.taken(id))]))
        let left = try history.events().compactMap(\.transfer)
        #expect(left == [.asked(id, order(1)).spent, .finished(id, result()).spent, .taking(id), .taken(id)])
        guard case .asked(_, let spent)? = left.first else {
            Issue.record("the order is gone")
            return
        }
        // Reading the log gives the same result as before.
        #expect(spent.session == "main" && spent.ordinal == 1 && spent.resumes == TransferID(7))
        #expect(spent.url == "https://example.com/a" && spent.headers.isEmpty && spent.body == nil)
        #expect(spent.label?.utf8.count == 200)
        // An earlier export still has the same events.
        #expect(try history.unknown(among: [asked, finished]).isEmpty)
    }

    @Test(arguments: Twin.allCases)
    func `another transfer, and another app's of that number, keep theirs`(_ twin: Twin) throws {
        let folder = try TemporaryFolder()
        let history = try twin.make(in: folder)
        let id = TransferID(3)
        let other = try #require(AppIdentifier("com.example.Other"))
        let kept = [
            try event(.asked(TransferID(4), order(2))), try event(.asked(id, order(3)), app: other),
        ]
        try history.append(HistoryBatch(events: kept + [try event(.asked(id, order(1)))]))
        try history.append(HistoryBatch(events: [try event(.givenUp(id))]))
        let left = try history.events()
        #expect(left.prefix(2) == kept[...] && left[2].transfer == .asked(id, order(1)).spent)
    }

    @Test func `orders that are cancelled and taken at once leave a page each in the database`() throws {
        let folder = try TemporaryFolder()
        let history = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        func run(_ numbers: Range<UInt64>) throws -> Int64 {
            for number in numbers {
                let id = TransferID(number)
                try history.append(
                    HistoryBatch(events: [
                        try event(.asked(id, order(number))),
                        try event(.cancelled(id, keepsPart: false)),
                    ]))
                try history.append(HistoryBatch(events: [try event(.taken(id))]))
            }
            return try history.read { try Thinner.bytes($0) }
        }
        let before = try run(1..<10)
        // The orders have 28 KB each.
        let growth = try run(10..<210) - before
        #expect(growth < 200 * 5 << 10)
    }

    @Test func `a host that comes back finds what it is to let go of`() throws {
        let folder = try TemporaryFolder()
        let id = TransferID(3)
        let first = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try first.append(
            HistoryBatch(events: [
                try event(.asked(id, order(1))), try event(.asked(TransferID(4), order(2))),
                try event(.finished(id, result()), minute: 9),
            ]))
        try first.close()
        let next = try SQLiteHistory.open(folder: folder.path, mode: .readWrite)
        try next.expect(transfersOf: [Sample.start, Sample.start + .minutes(9)])
        try next.append(HistoryBatch(events: [try event(.taken(id), minute: 10)]))
        let left = try next.events().compactMap(\.transfer)
        #expect(left[0] == .asked(id, order(1)).spent && left[1] == .asked(TransferID(4), order(2)))
        #expect(left[2] == .finished(id, result()).spent)
    }
}
