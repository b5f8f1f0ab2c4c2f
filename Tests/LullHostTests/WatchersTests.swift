import Testing

@testable import LullHost

struct WatchersTests {
    @Test func `who has not seen the newest change is told at once, who has at the next`() {
        var watchers = Watchers()
        var told: [UInt64] = []
        watchers.wait(since: 0) { told.append($0) }
        #expect(told == [1])
        watchers.wait(since: 1) { told.append($0) }
        watchers.wait(since: 1) { told.append($0) }
        #expect(told == [1])
        for tell in watchers.changed() { tell(watchers.newest) }
        #expect(told == [1, 2, 2])
        #expect(watchers.changed().isEmpty)
        // Of an earlier host's number, which may be higher.
        watchers.wait(since: 900) { told.append($0) }
        #expect(told == [1, 2, 2, 3])
    }
}
