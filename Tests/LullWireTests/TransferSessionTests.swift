import LullModel
import Testing

@testable import LullWire

/// A worker's transfer requests, as its host receives them.
@Suite struct TransferSessionTests {
    private var session: WorkerSession
    private var submits: UInt64 = 0
    private let app: AppIdentifier
    private static let order = TransferOrder(
        session: "mirror", ordinal: 1, direction: .download, url: "https://example.org/a",
        headers: [TransferHeader("Accept", "text/plain")], body: TransferBody([0, 1, 255]), label: "a\nb",
        earliestBegin: WallTime(milliseconds: 5), expectedToReceive: 0)

    init() throws {
        app = try #require(AppIdentifier("com.example.A"))
        session = WorkerSession(app: app, permits: [])
        _ = take(.hello(.init(abiMajor: 1, abiMinor: 3, sdk: "test", buildID: "")))
    }

    @discardableResult
    private mutating func take(_ frame: WorkerFrame?) -> [SessionDeed] {
        guard let frame else { return [] }
        return frame.encoded().withUnsafeBytes { session.take($0, length: $0.count, submits: &submits) }
    }

    private func states(in frame: HostFrame?) throws -> (states: [TransferState], isLast: Bool) {
        guard case .transfersReply(_, _, let bytes, let isLast)? = frame else { return ([], true) }
        return (try Packed.decode([TransferState].self, from: bytes), isLast)
    }

    private func state(_ number: UInt64, _ order: TransferOrder) -> TransferState {
        TransferState(
            id: TransferID(number), app: app, order: order, asked: WallTime(milliseconds: 0), stem: number,
            phase: .waiting)
    }

    @Test mutating func `an order is heard as it was meant, and answered once`() throws {
        guard case .say(.transfer(let id, 3, let order))? = take(.transfer(sequence: 3, Self.order)).first
        else { return #expect(Bool(false), "nothing was heard") }
        #expect(order == Self.order)
        let reply = session.answerTransfer(id, 3, .success(TransferID(9)))
        #expect(reply == .transferReply(sequence: 3, status: 0, sentence: "", transfer: 9))
        #expect(session.answerTransfer(id, 3, .success(TransferID(9))) == nil)
        #expect(take(.withdraw(sequence: 3)) == [.say(.withdrawn(id))])
    }

    @Test mutating func `an order that was withdrawn gets no answer`() throws {
        guard case .say(.transfer(let id, _, _))? = take(.transfer(sequence: 1, Self.order)).first
        else { return #expect(Bool(false), "nothing was heard") }
        #expect(take(.withdraw(sequence: 1)) == [.say(.withdrawn(id))])
        #expect(session.answerTransfer(id, 1, .failure(Refusal(.unavailable, "No."))) == nil)
    }

    @Test mutating func `bytes that are no order end the worker`() {
        #expect(take(.transfer(sequence: 1, order: [1, 2, 3])).first == .closeSocket)
        #expect(session.isClosed)
    }

    @Test mutating func `bytes that are no answer end the worker`() {
        #expect(take(.transferAnswer(sequence: 1, transfer: 1, answer: [])).first == .closeSocket)
    }

    @Test mutating func `an order that nobody could carry out is refused with a sentence`() {
        var order = Self.order
        order.url = "ftp://example.org/a"
        guard case .send(.submitReply(1, 1, let sentence))? = take(.transfer(sequence: 1, order)).first
        else { return #expect(Bool(false), "it was not refused") }
        #expect(sentence.contains("http://"))
        #expect(session.submits.isEmpty)
    }

    @Test mutating func `acts and answers are heard with their transfer`() {
        guard
            case .say(.transferAct(_, 1, TransferID(7), .taking))? =
                take(.transferAct(sequence: 1, transfer: 7, .taking)).first
        else { return #expect(Bool(false), "the act was not heard") }
        let answer = TransferAnswer.credential(user: "u", password: "p")
        guard
            case .say(.transferAnswer(_, 2, TransferID(7), answer))? =
                take(.transferAnswer(sequence: 2, transfer: 7, answer)).first
        else { return #expect(Bool(false), "the answer was not heard") }
        let bad = TransferAnswer.credential(user: "u\n", password: "p")
        guard
            case .send(.submitReply(3, 1, _))? =
                take(.transferAnswer(sequence: 3, transfer: 7, bad)).first
        else { return #expect(Bool(false), "the answer was not refused") }
    }

    @Test mutating func `transfers are told in parts that fit, and the worker asks on`() throws {
        var order = Self.order
        order.label = String(repeating: "l", count: 20_000)
        let all = (1...20).map { number in
            order.label? += "\(number)"
            return state(UInt64(number), order)
        }
        var seen: [UInt64] = []
        var parts = 0
        var isLast = false
        while !isLast {
            parts += 1
            let sequence = UInt64(parts)
            let deeds = take(.transfers(sequence: sequence, session: "mirror", after: seen.last ?? 0))
            #expect(deeds == [.say(.transfersQuery(sequence: sequence, session: "mirror"))])
            let frame = session.answerTransfers(sequence, next: 21, all.shuffled())
            #expect((frame?.encoded().count ?? 0) <= Limits.frameBytes)
            let part = try states(in: frame)
            #expect(!part.states.isEmpty)
            seen += part.states.map(\.id.number)
            isLast = part.isLast
        }
        #expect(seen == Array(1...20))
        #expect(parts == 4)
        #expect(session.answerTransfers(1, next: 1, all) == nil)
    }

    @Test mutating func `a state that is too long goes without what the app can do without`() throws {
        var order = Self.order
        order.body = TransferBody([UInt8](repeating: 7, count: Limits.transferBodyBytes))
        order.headers = [TransferHeader("a", String(repeating: "h", count: 40_000))]
        var long = state(1, order)
        long.result = TransferResult(
            status: 200, url: order.url,
            headers: [TransferHeader("b", String(repeating: "i", count: 60_000))], received: 1, sent: 0)
        take(.transfers(sequence: 1, session: "", after: 0))
        let part = try states(in: session.answerTransfers(1, next: 2, [long]))
        #expect(part.states.map(\.id) == [TransferID(1)] && part.isLast)
        #expect(part.states.first?.order.body == nil)
        #expect(part.states.first?.order.headers == order.headers)
    }

    @Test mutating func `a worker that is to end is told nothing`() {
        #expect(session.tellTransfers(of: "mirror") == .transferNews(session: "mirror"))
        take(.transfers(sequence: 1, session: "", after: 0))
        session.end(reason: "evicted by the host")
        #expect(session.tellTransfers(of: "mirror") == nil)
        #expect(session.answerTransfers(1, next: 1, []) == nil)
    }
}
