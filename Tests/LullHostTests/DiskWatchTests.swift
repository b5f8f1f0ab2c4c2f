import LullModel
import Testing

@testable import LullHost

/// The times of walks through folders: rare where nothing can have changed, and never most of the time.
struct DiskWatchTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private static let limit: Int64 = 1 << 30

    private static func watch(_ app: AppIdentifier, took: Duration = .zero, bytes: Int64 = 0) -> DiskWatch {
        var watch = DiskWatch()
        watch.looks[app] = DiskWatch.Look(at: start, took: took, room: 10 << 30, bytes: bytes)
        return watch
    }

    private static func isDue(
        _ watch: DiskWatch, _ app: AppIdentifier, after span: Duration, room: Int64 = 10 << 30,
        isAtWork: Bool = true, isAsked: Bool = false
    ) -> Bool {
        watch.isDue(
            app, limit: limit, at: start + span, room: room, isAtWork: isAtWork, isAsked: isAsked)
    }

    @Test func `a folder is looked at again once the disk has lost a part of what it may still keep`() throws
    {
        let app = try #require(AppIdentifier("com.example.App"))
        let watch = Self.watch(app)
        #expect(Self.isDue(DiskWatch(), app, after: .zero))
        #expect(!Self.isDue(watch, app, after: .seconds(20)))
        #expect(Self.isDue(watch, app, after: .seconds(30)))
        let lost = (10 << 30) - (1 << 28)
        #expect(!Self.isDue(watch, app, after: .seconds(20), room: Int64(lost)))
        #expect(Self.isDue(watch, app, after: .seconds(20), room: Int64(lost - 1)))
        #expect(!Self.isDue(watch, app, after: .seconds(1), room: 0))
        // A slow walk is repeated less often.
        #expect(!Self.isDue(Self.watch(app, took: .seconds(4)), app, after: .seconds(39), room: 0))
        #expect(Self.isDue(Self.watch(app, took: .seconds(4)), app, after: .seconds(40), room: 0))
    }

    @Test func `a look that is due soon stands for those of further launches, one that is past does not`() {
        var watch = DiskWatch()
        #expect(!watch.isDueSoon(at: Self.start))
        watch.next = Self.start + DiskWatch.soon
        #expect(watch.isDueSoon(at: Self.start))
        #expect(!watch.isDueSoon(at: Self.start - .milliseconds(1)))
        #expect(!watch.isDueSoon(at: Self.start + DiskWatch.soon))
    }

    @Test func `at rest it is looked at once more, and then only where something waits for it`() throws {
        let app = try #require(AppIdentifier("com.example.App"))
        var watch = Self.watch(app, bytes: 2 << 30)
        #expect(!Self.isDue(watch, app, after: .hours(1), isAtWork: false))
        #expect(!Self.isDue(watch, app, after: .seconds(59), isAtWork: false, isAsked: true))
        #expect(Self.isDue(watch, app, after: .seconds(60), isAtWork: false, isAsked: true))
        // A transfer may need more than a folder within its limit has left.
        #expect(Self.isDue(Self.watch(app), app, after: .seconds(60), isAtWork: false, isAsked: true))
        watch.lastLooks = [app]
        #expect(Self.isDue(watch, app, after: .zero, isAtWork: false))
    }

    @Test func `on a short disk all are looked at again when it has lost more, or after a minute`() {
        var watch = DiskWatch()
        let room = DiskRoom(bytes: 10 << 20)
        #expect(watch.isDue(allAt: Self.start, room))
        watch.lookAtAll = DiskWatch.Look(at: Self.start, took: .seconds(1), room: room.bytes)
        #expect(!watch.isDue(allAt: Self.start + .seconds(59), room))
        #expect(watch.isDue(allAt: Self.start + .seconds(60), room))
        #expect(watch.isDue(allAt: Self.start + .seconds(10), DiskRoom(bytes: 9 << 20)))
        #expect(!watch.isDue(allAt: Self.start + .seconds(9), DiskRoom(bytes: 0)))
    }
}
