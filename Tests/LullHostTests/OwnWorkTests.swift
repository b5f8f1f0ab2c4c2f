import LullModel
import Testing

@testable import LullHost

struct OwnWorkTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test func `an app is at work while a task of it runs, and a little longer`() throws {
        let app = try #require(AppIdentifier("com.example.Feed"))
        var work = OwnWork()
        #expect(!work.isGoingOn(app, at: start))
        work.began(app)
        work.began(app)
        #expect(work.isGoingOn(app, at: start + .hours(1)))
        work.ended(app, at: start + .hours(1))
        #expect(work.isGoingOn(app, at: start + .hours(2)))
        work.ended(app, at: start + .hours(2))
        #expect(work.isGoingOn(app, at: start + .hours(2) + .seconds(9)))
        #expect(!work.isGoingOn(app, at: start + .hours(2) + .seconds(10)))
        // The end of a run that an earlier host began.
        work.ended(app, at: start + .hours(3))
        #expect(!work.isGoingOn(app, at: start + .hours(4)))
    }

    @Test func `a worker that starts is at work`() throws {
        let app = try #require(AppIdentifier("com.example.Feed"))
        var work = OwnWork()
        work.touched(app, at: start)
        #expect(work.isGoingOn(app, at: start + .seconds(9)))
        #expect(!work.isGoingOn(app, at: start + .seconds(10)))
    }
}
