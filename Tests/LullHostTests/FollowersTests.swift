import LullControl
import LullModel
import Testing

@testable import LullHost

struct FollowersTests {
    /// The parts that each follower received.
    private final class Told {
        var parts: [Int: [PrintedPart]] = [:]
        func taker(_ number: Int) -> Respond<Ask.Printed> {
            { self.parts[number, default: []].append((try? $0.get()) ?? PrintedPart()) }
        }
    }

    private let told = Told()

    @Test func `who has waited through ever so many events is told all the same`() {
        var followers = Followers()
        followers.add(Ask.Printed(by: RunID(1), waits: true), told.taker(1))
        var early = 0
        for _ in 0..<300_000 { early += followers.takeReady { _ in nil }.count }
        #expect(early == 0)
        for (respond, part) in followers.takeReady({ _ in PrintedPart(total: 7) }) { respond(.success(part)) }
        #expect(told.parts == [1: [PrintedPart(total: 7)]])
    }

    @Test func `each is told once, when there is something of its own run`() {
        var followers = Followers()
        for run in [1, 2] { followers.add(Ask.Printed(by: RunID(UInt64(run)), waits: true), told.taker(run)) }
        for _ in 1...2 {
            let ready = followers.takeReady { $0.run == RunID(2) ? PrintedPart(total: 1) : nil }
            for (respond, part) in ready { respond(.success(part)) }
        }
        #expect(told.parts == [2: [PrintedPart(total: 1)]])
        #expect(followers.takeReady { _ in PrintedPart() }.count == 1)
    }
}
