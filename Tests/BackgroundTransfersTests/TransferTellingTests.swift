import CLullPlugin
import Testing

@testable import BackgroundTransfers

/// The news of a transfer from one look at it to the next.
@Suite struct TransferTellingTests {
    private func record(_ change: (inout TransferRecord) -> Void) throws -> TransferRecord {
        var found: TransferRecord?
        var kept = TransferHost.Kept(number: 1, order: TransferOrder())
        kept.phase = lull_transfer_phase(LULL_TRANSFER_ACTIVE)
        kept.withState { found = TransferRecord($0) }
        var record = try #require(found)
        change(&record)
        return record
    }

    @Test func `what was told is not told again`() throws {
        var telling = TransferTelling()
        let half = try record { ($0.received, $0.toReceive) = (5, 10) }
        #expect(telling.events(of: half) == [.wrote(5, total: 5, expected: 10)])
        #expect(telling.events(of: half).isEmpty)
        let done = try record { ($0.phase, $0.received, $0.toReceive) = (.finished, 10, 10) }
        #expect(telling.events(of: done) == [.wrote(5, total: 10, expected: 10), .ended(done)])
        #expect(telling.events(of: done).isEmpty)
        telling.repeatEnd()
        #expect(telling.events(of: done) == [.ended(done)])
    }

    @Test func `a download that begins anew counts anew`() throws {
        var telling = TransferTelling()
        _ = telling.events(of: try record { $0.received = 5 })
        #expect(telling.events(of: try record { $0.received = 0 }).isEmpty)
        let events = telling.events(of: try record { $0.received = 2 })
        #expect(events == [.wrote(2, total: 2, expected: -1)])
    }

    @Test func `one that goes on says where, and counts from there`() throws {
        var telling = TransferTelling()
        let begun = try record { ($0.order.resumes, $0.received, $0.toReceive) = (7, 5, 10) }
        #expect(telling.events(of: begun) == [.resumed(offset: 5, total: 10)])
        let more = try record { ($0.order.resumes, $0.received, $0.toReceive) = (7, 6, 10) }
        #expect(telling.events(of: more) == [.wrote(1, total: 6, expected: 10)])
    }

    @Test func `each challenge is told once, and the next attempt's again`() throws {
        var telling = TransferTelling()
        func challenged(_ failures: Int) throws -> TransferRecord {
            try record { record in
                record.phase = .challenged
                record.challenge = TransferChallenge(
                    method: .basic, host: "a", port: 80, scheme: "http", failures: failures)
            }
        }
        #expect(telling.events(of: try challenged(0)).count == 1)
        #expect(telling.events(of: try challenged(0)).isEmpty)
        #expect(telling.events(of: try challenged(1)).count == 1)
    }

    @Test func `calls are made in their order`() {
        var calls = SerialCalls<Int>()
        #expect(calls.add { _ in })
        #expect(!calls.add { _ in })
        #expect(calls.next() != nil && calls.hasMore())
        #expect(!calls.add { _ in })
        #expect(calls.next() != nil && calls.hasMore() && calls.next() != nil)
        #expect(!calls.hasMore() && calls.next() == nil)
        #expect(calls.add { _ in })
    }
}
