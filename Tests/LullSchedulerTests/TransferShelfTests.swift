import LullModel
import Testing

@testable import LullScheduler

/// Lookups of transfers in the index find what a scan of all transfers finds.
struct TransferShelfTests {
    private static let apps = [Sample.feed, AppIdentifier("com.example.Other")].compactMap { $0 }
    private static let result = TransferResult(
        status: 200, url: "https://example.com/", headers: [TransferHeader("a", "b")], received: 1, sent: 0)

    private static func order(_ ordinal: UInt64, _ session: String) -> TransferOrder {
        TransferOrder(session: session, ordinal: ordinal, direction: .download, url: "https://example.com/")
    }

    private static func apply(_ note: TransferNote, of app: AppIdentifier, to book: inout TransferBook) {
        var event = HistoryEvent(.transfer, at: WallTime(seconds: 1), app: app)
        event.transfer = note
        book.apply(event)
    }

    private static func due(_ app: AppIdentifier, in book: TransferBook) -> [String] {
        let own = book.records.values.filter { $0.state.app == app }
        return Set(own.map(\.state.order.session)).sorted().filter { session in
            let all = own.filter { $0.state.order.session == session }
            if all.contains(where: { $0.isAsking && $0.mayLaunch }) { return true }
            return all.allSatisfy { $0.isAsking || $0.state.phase.isOver }
                && all.contains { $0.state.phase.isOver && $0.mayLaunch }
        }
    }

    @Test func `whatever becomes of transfers, they are found`() throws {
        var generator = SeededGenerator(seed: 17)
        var book = TransferBook()
        let challenge = TransferChallenge(method: .basic, host: "h", port: 80, scheme: "http")
        for step in 0..<1000 {
            let app = try #require(Self.apps.randomElement(using: &generator))
            let id = TransferID(UInt64.random(in: 1...max(1, book.next), using: &generator))
            let session = "s\(Int.random(in: 0..<5, using: &generator))"
            let note: TransferNote =
                switch Int.random(in: 0..<9, using: &generator) {
                case 0, 1: .asked(TransferID(book.next), Self.order(book.next, session))
                case 2: .challenged(id, challenge)
                case 3: .answered(id, .trust)
                case 4: .finished(id, Self.result)
                case 5: .cancelled(id, keepsPart: true)
                case 6: .taken(id)
                case 7: .paused(id, byOperator: false)
                default: .resumed(id, byOperator: false)
                }
            Self.apply(note, of: app, to: &book)
            if step % 50 == 0 { book.launched(app) }
            for app in Self.apps {
                let own = book.records.values.filter { $0.state.app == app }
                #expect(book.dueSessions(of: app) == Self.due(app, in: book))
                #expect(book.hasDueSessions(of: app) == !Self.due(app, in: book).isEmpty)
                #expect(book.records(of: app).map(\.state.id) == own.map(\.state.id).sorted())
                #expect(book.count(of: app) == own.count + book.kept.values.count { $0.app == app })
            }
        }
        for record in book.records.values {
            Self.apply(.cancelled(record.state.id, keepsPart: false), of: record.state.app, to: &book)
            Self.apply(.taken(record.state.id), of: record.state.app, to: &book)
        }
        #expect(book.records.isEmpty && book.apps.isEmpty && Self.apps.allSatisfy { book.bytes(of: $0) == 0 })
    }

    @Test(.timeLimit(.minutes(20))) func `ten thousand are taken in a moment`() {
        var book = TransferBook()
        for number in UInt64(1)...10_000 {
            Self.apply(
                .asked(TransferID(number), Self.order(number, "s\(number % 7)")), of: Sample.feed, to: &book)
        }
        for number in UInt64(1)...10_000 {
            for note in [TransferNote.finished(TransferID(number), Self.result), .taken(TransferID(number))] {
                Self.apply(note, of: Sample.feed, to: &book)
                _ = book.hasDueSessions(of: Sample.feed)
            }
        }
        #expect(book.records.isEmpty)
    }

    @Test func `a launch tells of as many sessions as fit, and the next ones of the rest`() {
        var book = TransferBook()
        for number in UInt64(1)...250 {
            Self.apply(
                .asked(TransferID(number), Self.order(number, "session \(1000 + number)")), of: Sample.feed,
                to: &book)
            Self.apply(.finished(TransferID(number), Self.result), of: Sample.feed, to: &book)
        }
        var told: Set<String> = []
        for _ in 0..<3 {
            let due = book.dueSessions(of: Sample.feed)
            #expect(!due.isEmpty && due.count <= 100)
            told.formUnion(due)
            for record in due.flatMap({ book.records(of: Sample.feed, session: $0) }) {
                Self.apply(.taken(record.state.id), of: Sample.feed, to: &book)
            }
        }
        #expect(told.count == 250 && !book.hasDueSessions(of: Sample.feed))
    }

    @Test func `what an app's transfers say together is limited`() {
        var host = TestHost(TransferTests.manifest())
        let headers = [TransferHeader("a", String(repeating: "b", count: 40_000))]
        var refused = ""
        for ordinal in UInt64(1)...1000 where refused.isEmpty {
            var order = Self.order(ordinal, "main")
            order.headers = headers
            let reply = host.tell { .transferAsked(Sample.feed, order, reply: $0) }
            if case .refused(let refusal)? = reply { refused = refusal.sentence }
        }
        #expect(refused.contains("hold more than 32 MiB of text together"))
    }
}
