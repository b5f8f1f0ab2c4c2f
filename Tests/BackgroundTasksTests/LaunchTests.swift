import CLullPlugin
import Dispatch
import Testing

@testable import BackgroundTasks

/// The queue that code runs on.
private enum Place {
    private static let key = DispatchSpecificKey<String>()

    static var current: String? { DispatchQueue.getSpecific(key: key) }

    static func mark(_ queue: DispatchQueue, _ name: String) {
        queue.setSpecific(key: key, value: name)
    }
}

@Suite struct LaunchTests {
    let fixture = Fixture()

    @Test func `2.1: without a queue a handler runs on a serial queue in the background`() async throws {
        Place.mark(.main, "main queue")
        let found = Left<String?>()
        #expect(
            fixture.register { task in
                found.leave(Place.current)
                task.setTaskCompleted(success: true)
            }
        )
        fixture.launch()
        #expect(try await found.next() == nil)
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: true))
    }

    @Test func `2.1: each run has a background queue of its own`() {
        let launch = Launch(task: 1, kind: lull_kind(LULL_KIND_REFRESH), identifier: Fixture.refresh)
        let run = Run(launch, registry: fixture.scheduler.registry)
        let handler = LaunchHandler(queue: nil, place: nil) { _ in }
        let queue = handler.queue(of: run)
        #expect(queue.label == "lull (\(Fixture.refresh))" && queue.qos == .background)
        #expect(queue !== handler.queue(of: run))
    }

    @Test func `2.1: a handler runs on the queue it was registered with`() async throws {
        let queue = DispatchQueue(label: "own")
        Place.mark(queue, "own queue")
        let found = Left<String?>()
        #expect(
            fixture.register(using: queue) { _ in found.leave(Place.current) }
        )
        fixture.launch()
        #expect(try await found.next() == "own queue")
    }

    @Test func `2.1: the main queue is served`() async throws {
        Place.mark(.main, "main queue")
        let found = Left<String?>()
        #expect(
            fixture.register(using: .main) { _ in found.leave(Place.current) }
        )
        fixture.launch()
        #expect(try await found.next() == "main queue")
    }

    @MainActor @Test func `2.1: a handler of the main actor runs on it and so does its expiration handler`()
        async throws
    {
        Place.mark(.main, "main queue")
        let found = Left<String?>()
        let isRegistered = fixture.scheduler.register(forTaskWithIdentifier: Fixture.refresh, using: nil) {
            task in
            MainActor.assertIsolated()
            found.leave(Place.current)
            task.expirationHandler = {
                MainActor.assertIsolated()
                task.setTaskCompleted(success: false)
            }
            found.leave("set")
        }
        #expect(isRegistered)
        let line = try #require(fixture.host.lines.first)
        #expect(line.level == LULL_WARNING && line.message.contains("LaunchTests.swift:"))
        #expect(line.message.contains("`using: .main`") && line.message.contains("`{ @Sendable task in`"))
        fixture.launch()
        #expect(try await found.next() == "main queue")
        #expect(try await found.next() == "set")
        fixture.host.expire(1)
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
    }

    @MainActor @Test func `2.1: a handler that runs where its author wanted it is not warned of`() {
        let scheduler = fixture.scheduler
        #expect(scheduler.register(forTaskWithIdentifier: Fixture.refresh, using: .main) { _ in })
        #expect(scheduler.register(forTaskWithIdentifier: Fixture.cleaning, using: nil) { @Sendable _ in })
        #expect(fixture.host.lines.isEmpty)
    }

    @Test(arguments: [
        (LULL_KIND_REFRESH, "BGAppRefreshTask"), (LULL_KIND_PROCESSING, "BGProcessingTask"),
        (LULL_KIND_CONTINUED, "BGContinuedProcessingTask"), (77, "BGProcessingTask"),
    ])
    func `2.2: the request's type decides the class of the task`(kind: Int, name: String) async throws {
        let found = Left<String>()
        #expect(fixture.register { found.leave("\(type(of: $0))") })
        fixture.launch(kind: kind)
        #expect(try await found.next() == name)
    }

    @Test func `2.1: a launch without a handler is logged and completed as failed`() throws {
        fixture.launch("com.example.Feed.other", number: 7)
        #expect(fixture.host.completed == [.init(task: 7, success: false)])
        let line = try #require(fixture.host.lines.first)
        #expect(line.task == 7 && line.level == LULL_ERROR)
        #expect(line.message.contains("com.example.Feed.other"))
    }

    @Test func `2.3: several runs are under way at once`() async throws {
        let given = Left<BGTask>()
        #expect(fixture.register { given.leave($0) })
        #expect(fixture.register(Fixture.cleaning) { given.leave($0) })
        fixture.launch(number: 1)
        fixture.launch(Fixture.cleaning, number: 2, kind: LULL_KIND_PROCESSING)
        let tasks = [try await given.next(), try await given.next()]
        #expect(Set(tasks.map(\.identifier)) == [Fixture.refresh, Fixture.cleaning])
        for task in tasks { task.setTaskCompleted(success: task is BGProcessingTask) }
        #expect(Set(fixture.host.completed.map(\.task)) == [1, 2])
        #expect(fixture.host.completed.allSatisfy { $0.success == ($0.task == 2) })
    }
}
