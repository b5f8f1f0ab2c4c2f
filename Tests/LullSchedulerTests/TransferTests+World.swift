import LullModel
import Testing

@testable import LullScheduler

/// Servers that trickle or cut, and clocks that are set.
extension TransferTests {
    private func reason(of id: UInt64, _ host: TestHost) -> String? {
        host.state.transferReports(of: nil, at: host.now).first { $0.state.id.number == id }?.reasons.first
    }

    private func came(_ bytes: Int64, _ start: TransferStart?, on host: inout TestHost) {
        hear(.progressed(TransferProgress(received: bytes, toReceive: 1 << 30)), start, on: &host)
    }

    @Test func `servers that trickle keep no other waiting, and lose nothing`() {
        var host = host(TransferRules(atOnce: 2))
        for ordinal: UInt64 in 1...3 { _ = ask(Self.order(ordinal), on: &host) }
        let slow = begun(host.take())
        #expect(slow.map(\.id.number) == [1, 2])
        for start in slow { came(1_000, start, on: &host) }
        host.pass(.seconds(29), completing: false)
        #expect(begun(host.take()).isEmpty, "They may be about to begin.")
        host.pass(.seconds(2), completing: false)
        let effects = host.take()
        #expect(begun(effects).map(\.id.number) == [3] && stopped(effects).isEmpty)
        for ordinal: UInt64 in 4...5 { _ = ask(Self.order(ordinal), on: &host) }
        #expect(begun(host.take()).map(\.id.number) == [4], "Beside two slow ones two may be under way.")
        #expect(
            reason(of: 5, host)
                == "4 of the app's transfers are under way, 2 of them slowly, which is the limit (`at_once`)")
    }

    @Test func `who gets on keeps its place, and so does who has little to share`() {
        for (rate, bytes) in [(nil, Int64(1 << 20)), (Int64(2_000), 20_000)] as [(Int64?, Int64)] {
            var host = host(TransferRules(atOnce: 1, rate: rate))
            for ordinal: UInt64 in 1...2 { _ = ask(Self.order(ordinal), on: &host) }
            let first = begun(host.take()).first
            for round: Int64 in 1...4 {
                came(bytes * round, first, on: &host)
                host.pass(.seconds(30), completing: false)
            }
            #expect(begun(host.take()).isEmpty, "\(bytes)")
        }
    }

    @Test func `a server that cuts is asked for the rest at once, as long as something comes`() {
        var host = host()
        _ = ask(on: &host)
        func cut(at bytes: Int64) {
            hear(
                .interrupted(sentence: "cut", retryAfter: nil, received: bytes), begun(host.take()).first,
                on: &host)
        }
        for part: Int64 in 1...5 { cut(at: part << 20) }
        let start = begun(host.take()).first
        #expect(start != nil)
        hear(.interrupted(sentence: "cut", retryAfter: nil, received: 5 << 20 + 1), start, on: &host)
        #expect(begun(host.take()).isEmpty, "One byte is no progress that is worth a request.")
        host.pass(.seconds(5))
        #expect(begun(host.take()).count == 1)
    }

    @Test func `a clock that is set ahead ends nothing before its time`() {
        var host = host()
        _ = ask(Self.order { $0.wholeLimit = .hours(1) }, on: &host)
        came(3, begun(host.take()).first, on: &host)
        host.pass(.minutes(30), completing: false)
        host.now.wall = host.now.wall + .days(9)
        host.handle(.wake)
        #expect(stopped(host.take()).isEmpty)
        #expect(host.state.transfers(of: Sample.feed, session: nil).first?.phase == .active)
        host.pass(.minutes(29), completing: false)
        #expect(stopped(host.take()).isEmpty)
        host.pass(.minutes(2), completing: false)
        #expect(stopped(host.take()) == [TransferID(1)])
        #expect(host.state.transfers(of: Sample.feed, session: nil).first?.failure?.code == -1001)
    }

    @Test func `who has waited for long goes on beside one that the clock makes older`() {
        var host = host(conditions: Conditions(presence: .known(.active), load: 5), isUsed: false)
        _ = ask(on: &host)
        host.pass(.minutes(5), completing: false)
        host.now.wall = host.now.wall + (.zero - .hours(11))
        host.handle(.wake)
        _ = ask(Self.order(2), on: &host)
        let bound = host.state.definition(of: Self.task)?.starvationBound ?? .zero
        host.pass(bound - .minutes(1), completing: false)
        #expect(begun(host.take()).map(\.id.number) == [1], "It is five minutes older.")
        host.pass(.minutes(2), completing: false)
        #expect(begun(host.take()).map(\.id.number) == [2])
    }

    @Test func `a clock that is set back makes nothing wait longer, and gives nothing more time`() {
        var host = host()
        _ = ask(Self.order { $0.wholeLimit = .hours(1) }, on: &host)
        hear(
            .interrupted(sentence: "cut", retryAfter: .minutes(10), received: 0), begun(host.take()).first,
            on: &host)
        host.pass(.minutes(5))
        host.now.wall = host.now.wall + (.zero - .hours(2))
        host.handle(.wake)
        host.pass(.minutes(4))
        #expect(begun(host.take()).isEmpty)
        host.pass(.minutes(2))
        #expect(begun(host.take()).count == 1)
        host.pass(.minutes(50), completing: false)
        #expect(stopped(host.take()) == [TransferID(1)])
    }
}
