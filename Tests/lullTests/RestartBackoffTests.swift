import Testing

@testable import lull

struct RestartBackoffTests {
    @Test func `what keeps the page from starting is tried ever more seldom`() {
        var backoff = RestartBackoff()
        let waits = (0..<12).map { _ in backoff.afterEnd(lived: nil).components.seconds }
        #expect(waits == [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600])
    }

    @Test func `a page that has lived is had again soon, and one that dies at once is not`() {
        var backoff = RestartBackoff()
        for _ in 0..<4 { _ = backoff.afterEnd(lived: .seconds(1)) }
        #expect(backoff.afterEnd(lived: .seconds(79)) == .seconds(80))
        #expect(backoff.afterEnd(lived: .seconds(160)) == .seconds(5))
    }

    @Test func `who has got on waits as at first, and a broker's time is bounded`() {
        var backoff = RestartBackoff(longest: .seconds(60))
        let waits = (0..<7).map { _ in backoff.afterEnd(lived: .zero).components.seconds }
        #expect(waits == [5, 10, 20, 40, 60, 60, 60])
        backoff.reset()
        #expect(backoff.afterEnd(lived: .zero) == .seconds(5))
    }

    @Test func `of one end one is told, whoever sees it first`() {
        let now = ContinuousClock.now
        let served = PageLife()
        #expect(served.isServed(at: now))
        #expect(served.end(at: now + .seconds(3)) == .seconds(3))
        #expect(served.end(at: now + .seconds(4)) == nil)
        // It ended before it was served: its starter sees that, and nothing else starts it again.
        let stillborn = PageLife()
        #expect(stillborn.end(at: now) == nil)
        #expect(!stillborn.isServed(at: now))
    }
}
