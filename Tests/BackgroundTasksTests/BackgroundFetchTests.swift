import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

/// Section 2.7 of the behaviour: the old background fetch.
@Suite struct BackgroundFetchTests {
    static let fetch = "com.example.Feed.fetch"

    let fixture = Fixture(permitted: [fetch])

    @Test func `2.7: an interval asks for a fetch, and never takes it back`() {
        let fetch = BackgroundFetch(registry: fixture.scheduler.registry)
        fetch.setInterval(UIApplication.backgroundFetchIntervalMinimum)
        #expect(fixture.host.submitted.isEmpty, "it has no handler yet")
        fetch.register { $0(.noData) }
        #expect(fixture.host.submitted == [.init(kind: 1, identifier: Self.fetch)])
        fetch.setInterval(UIApplication.backgroundFetchIntervalNever)
        #expect(fixture.host.record.withLock(\.cancelled) == [Self.fetch])
    }

    @Test func `2.7: a request that is pending keeps its date`() {
        let fetch = BackgroundFetch(registry: fixture.scheduler.registry)
        fetch.register { $0(.noData) }
        fetch.setInterval(3600)
        fetch.setInterval(3600)
        #expect(fixture.host.submitted.count == 1)
        #expect(fixture.host.submitted.first?.earliestBegin != 0)
    }

    @Test(arguments: [
        (UIBackgroundFetchResult.newData, true), (.noData, true), (.failed, false),
    ])
    func `2.7: a fetch asks for the next one, and its result is the run's`(
        result: UIBackgroundFetchResult, success: Bool
    ) async {
        let fetch = BackgroundFetch(registry: fixture.scheduler.registry)
        fetch.setInterval(0)
        fetch.register { completion in
            MainActor.assertIsolated()
            completion(result)
        }
        fixture.launch(Self.fetch)
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: success))
        #expect(fixture.host.submitted.count == 2)
    }

    @Test func `2.7: without a task for it the log says what to add`() throws {
        let fixture = Fixture()
        let fetch = BackgroundFetch(registry: fixture.scheduler.registry)
        fetch.register { $0(.noData) }
        #expect(fixture.host.lines.isEmpty, "nobody has asked for it")
        fetch.setInterval(3600)
        fetch.register { $0(.noData) }
        let line = try #require(fixture.host.lines.first)
        #expect(line.message.contains("fetch: { kind: refresh }"))
        #expect(fixture.host.submitted.isEmpty)
    }
}
