import Testing

@testable import LullHost

struct WatchersTests {
    @Test func `who has not seen the newest change is told at once, who has at the next`() {
        var watchers = Watchers()
        var told: [UInt64] = []
        #expect(!watchers.wait(since: 0) { told.append($0) })
        #expect(told == [1])
        #expect(!watchers.wait(since: 1) { told.append($0) })
        #expect(!watchers.wait(since: 1) { told.append($0) })
        #expect(told == [1])
        for tell in watchers.changed() { tell(watchers.newest) }
        #expect(told == [1, 2, 2])
        #expect(watchers.changed().isEmpty)
        // Of an earlier host's number, which may be higher.
        #expect(!watchers.wait(since: 900) { told.append($0) })
        #expect(told == [1, 2, 2, 3])
    }

    @Test func `who has gone is forgotten, though nothing changes`() {
        var watchers = Watchers()
        var told = 0
        for _ in 0..<3 * Watchers.limit {
            guard watchers.wait(since: watchers.newest, { _ in told += 1 }) else { continue }
            for tell in watchers.changed() { tell(watchers.newest) }
        }
        #expect(told == 2 * (Watchers.limit + 1))
    }
}
