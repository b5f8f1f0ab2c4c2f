import Testing

@testable import LullHost

struct LiveViewsTests {
    @Test func `who has not seen the newest change need not wait, who has is told of the next`() {
        var views = LiveViews()
        var told: [UInt64] = []
        #expect(views.isNews(0) && !views.isNews(1) && views.newest == 1)
        #expect(!views.wait { told.append($0) })
        #expect(!views.wait { told.append($0) })
        for tell in views.changed() { tell(views.newest) }
        #expect(told == [2, 2])
        #expect(views.changed().isEmpty)
        // A number from an earlier host, which may be higher.
        #expect(views.isNews(900))
    }

    @Test func `who has gone is forgotten, though nothing changes`() {
        var views = LiveViews()
        var told = 0
        for _ in 0..<3 * LiveViews.limit {
            guard views.wait({ _ in told += 1 }) else { continue }
            for tell in views.changed() { tell(views.newest) }
        }
        #expect(told == 2 * (LiveViews.limit + 1))
    }
}
