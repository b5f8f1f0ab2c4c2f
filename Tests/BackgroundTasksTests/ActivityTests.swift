import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

/// Section 2.6 of the behaviour: time to finish work that the app has begun.
@Suite struct ActivityTests {
    let fixture = Fixture()

    private var registry: Registry { fixture.scheduler.registry }
    private var table: HostTable? { registry.host }

    @Test func `2.6: an activity is the host's from its begin to its end`() {
        let number = registry.activities.begin("upload", in: registry) {}
        #expect(number == 1)
        #expect(fixture.host.record.withLock(\.activityNames) == ["upload"])
        registry.activities.end(number, in: registry)
        #expect(fixture.host.record.withLock(\.endedActivities) == [1])
    }

    @Test func `2.6: its expiration handler is called, and its end is still its own affair`() async throws {
        let called = Left<Bool>()
        let number = registry.activities.begin("upload", in: registry) { called.leave(true) }
        fixture.host.expireActivity(number)
        #expect(try await called.next())
        #expect(fixture.host.record.withLock(\.endedActivities).isEmpty)
        registry.activities.end(number, in: registry)
    }

    @Test func `2.6: a call that comes before its begin has returned, or after its end, harms nothing`()
        async throws
    {
        let called = Left<Bool>()
        let activities = Activities()
        activities.expire(1)
        let number = activities.begin("upload", in: registry) { called.leave(true) }
        #expect(number == 1)
        #expect(try await called.next())
        activities.end(number, in: registry)
        activities.expire(number)
    }

    @Test func `2.6: one that ends twice is told to the host, which records it`() {
        let number = registry.activities.begin("upload", in: registry) {}
        registry.activities.end(number, in: registry)
        registry.activities.end(number, in: registry)
        #expect(fixture.host.record.withLock(\.endedActivities) == [1, 1])
    }

    @Test func `2.6: with no time left no background task begins`() {
        fixture.host.record.withLock { $0.hasNoTime = true }
        #expect(registry.activities.begin("upload", in: registry) { Issue.record("called") } == 0)
    }

    @Test func `2.6: the time that remains is the app's, and has no bound while nothing counts it`() throws {
        let table = try #require(table)
        #expect(table.backgroundTimeRemaining == nil)
        fixture.host.record.withLock { $0.remaining = 12_000_000_000 }
        #expect(table.backgroundTimeRemaining == 12_000_000_000)
    }

    @MainActor @Test func `2.6: without a worker activities have numbers and time has no bound`() {
        let numbers = (1...3).map { _ in UIApplication.shared.beginBackgroundTask(withName: "upload") }
        #expect(Set(numbers).count == 3 && !numbers.contains(.invalid))
        #expect(UIApplication.shared.backgroundTimeRemaining == .greatestFiniteMagnitude)
        for number in numbers { UIApplication.shared.endBackgroundTask(number) }
        UIApplication.shared.endBackgroundTask(.invalid)
        #expect(UIBackgroundTaskIdentifier(rawValue: 0) == .invalid)
    }

    @Test func `2.6: a background task's expiration handler is called on the main actor`() async throws {
        let called = Left<Bool>()
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        let task = await UIApplication.shared.beginBackgroundTask(withName: "upload") {
            called.leave(DispatchQueue.getSpecific(key: key) == true)
        }
        let activities = BGTaskScheduler.shared.registry.activities
        activities.expire(UInt64(task.rawValue))
        #expect(try await called.next(), "it is called elsewhere")
        await UIApplication.shared.endBackgroundTask(task)
    }

    @Test func `2.6: an expiring activity works until it returns`() async throws {
        let called = Left<Bool>()
        ProcessInfo.processInfo.performExpiringActivity(withReason: "upload", in: registry) { expired in
            called.leave(expired)
        }
        #expect(try await called.next() == false)
        #expect(fixture.host.record.withLock(\.activityNames) == ["upload"])
    }

    @Test func `2.6: an expiring activity is told that its time is up while it works`() async throws {
        let called = Left<Bool>()
        let expired = DispatchSemaphore(value: 0)
        ProcessInfo.processInfo.performExpiringActivity(withReason: "upload", in: registry) { isExpired in
            called.leave(isExpired)
            if isExpired { expired.signal() } else { expired.wait() }
        }
        #expect(try await called.next() == false)
        fixture.host.expireActivity(1)
        #expect(try await called.next())
    }

    @Test func `2.6: an expiring activity without time is told only that`() async throws {
        fixture.host.record.withLock { $0.hasNoTime = true }
        let called = Left<Bool>()
        ProcessInfo.processInfo.performExpiringActivity(withReason: "upload", in: registry) {
            called.leave($0)
        }
        #expect(try await called.next())
        #expect(fixture.host.record.withLock(\.endedActivities).isEmpty)
    }

    @Test func `the power state is the host's, and its changes are posted`() async throws {
        let table = try #require(table)
        #expect(!table.isLowPowerMode && !ProcessInfo.processInfo.isLowPowerModeEnabled)
        table.watchPower()
        let posted = Left<Bool>()
        let observer = NotificationCenter.default.addObserver(
            forName: .NSProcessInfoPowerStateDidChange, object: nil, queue: nil
        ) { _ in posted.leave(true) }
        fixture.host.power(isLow: true)
        #expect(try await posted.next())
        #expect(table.isLowPowerMode)
        NotificationCenter.default.removeObserver(observer)
    }

    @Test func `an older worker has no activities, no power state and no faults`() throws {
        let fixture = Fixture(size: FakeHost.smallestSize)
        let registry = fixture.scheduler.registry
        let table = try #require(registry.host)
        #expect(registry.activities.begin("upload", in: registry) {} > 0)
        #expect(table.backgroundTimeRemaining == nil && !table.isLowPowerMode && table.resources == 0)
        table.watchPower()
        table.report(.registeredTwice, subject: "com.example.Feed.refresh")
        table.show(title: "Exporting", subtitle: "", of: 1)
        #expect(fixture.host.faults.isEmpty && fixture.host.shown.isEmpty)
        #expect(fixture.host.record.withLock(\.activityNames).isEmpty)
    }
}
