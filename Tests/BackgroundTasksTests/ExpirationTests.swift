import CLullPlugin
import Dispatch
import Testing

@testable import BackgroundTasks

@Suite struct ExpirationTests {
    let fixture = Fixture()

    @Test func `2.3: the handler is called once and cleared`() async throws {
        let task = try await fixture.runningTask()
        let called = Left<Int>()
        task.expirationHandler = { called.leave(1) }
        fixture.expire(1)
        #expect(task.expirationHandler == nil)
        #expect(try await called.next() == 1)
        #expect(fixture.host.completed.isEmpty)

        // The next expiration finds no handler: a kept first handler would leave a 1 before this 2.
        task.expirationHandler = { called.leave(2) }
        fixture.expire(1)
        #expect(try await called.next() == 2)
    }

    @Test func `the host's own way leads to the handler`() async throws {
        let task = try await fixture.runningTask()
        task.expirationHandler = { task.setTaskCompleted(success: false) }
        fixture.host.expire(1)
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
    }

    @Test func `2.3: a run without a handler is completed as failed`() async throws {
        let task = try await fixture.runningTask()
        task.expirationHandler = { Issue.record("called") }
        task.expirationHandler = nil
        fixture.expire(1)
        // Its launch handler may be about to return.
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
        #expect(fixture.host.lines.last?.message.contains("no expirationHandler") == true)
        // The author's completion comes too late, and is no fault.
        task.setTaskCompleted(success: true)
        #expect(fixture.host.completed == [.init(task: 1, success: false)])
    }

    @Test func `2.3: a launch handler that is under way may still set the handler, as in Apple's samples`()
        async throws
    {
        fixture.scheduler.registry.patience.withLock { $0 = .never }
        let begun = Left<BGTask>()
        let (expired, called) = (DispatchSemaphore(value: 0), Left<Bool>())
        try #require(
            fixture.register { task in
                begun.leave(task)
                // `submit` comes first in the samples, and waits for the host.
                expired.wait()
                task.expirationHandler = { called.leave(true) }
            })
        fixture.launch()
        let task = try await begun.next()
        fixture.expire(1)
        #expect(fixture.host.completed.isEmpty)
        expired.signal()
        #expect(try await called.next())
        #expect(fixture.host.completed.isEmpty)
        task.setTaskCompleted(success: true)
    }

    @Test func `2.3: a launch handler that hangs and sets no handler is completed as failed`() async throws {
        let begun = Left<BGTask>()
        let end = DispatchSemaphore(value: 0)
        try #require(
            fixture.register { task in
                begun.leave(task)
                end.wait()
            })
        fixture.launch()
        let task = try await begun.next()
        fixture.expire(1)
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
        end.signal()
        withExtendedLifetime(task) {}
    }

    @Test func `2.3: completion clears the handler and ends expiration`() async throws {
        let task = try await fixture.runningTask()
        task.expirationHandler = { Issue.record("called after completion") }
        task.setTaskCompleted(success: true)
        #expect(task.expirationHandler == nil)
        fixture.host.expire(1)
        task.run.expire()
        task.expirationHandler = { Issue.record("set after completion") }
        #expect(task.expirationHandler == nil)
        #expect(fixture.host.completed == [.init(task: 1, success: true)])
    }

    @Test func `an unknown task expires without effect`() {
        fixture.expire(99)
        #expect(fixture.host.completed.isEmpty)
    }

    @Test func `2.3: handlers that block do not hold up their expiration`() async throws {
        // More than the threads of the concurrency pool.
        let count: lull_task = 16
        let begun = Left<lull_task>()
        #expect(
            fixture.register { task in
                let expired = DispatchSemaphore(value: 0)
                task.expirationHandler = { expired.signal() }
                begun.leave(task.run.launch.task)
                expired.wait()
                task.setTaskCompleted(success: false)
            })
        for number in 1...count { fixture.launch(number: number) }
        for _ in 1...count { _ = try await begun.next() }
        for number in 1...count { fixture.host.expire(number) }
        var ended: Set<lull_task> = []
        while ended.count < Int(count), let completion = await fixture.host.nextCompletion() {
            ended.insert(completion.task)
        }
        #expect(ended == Set(1...count))
    }

    @Test func `2.3: an expiration before the handler has begun waits for its expiration handler`() async {
        let queue = DispatchQueue(label: "held")
        queue.suspend()
        #expect(
            fixture.register(using: queue) { task in
                task.expirationHandler = { task.setTaskCompleted(success: false) }
            })
        fixture.launch()
        fixture.host.expire(1)
        #expect(fixture.host.completed.isEmpty)
        queue.resume()
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
        #expect(fixture.host.lines.isEmpty)
    }

    @Test func `2.3: an expiration before a handler that sets none completes the run when it returns`() async
    {
        let queue = DispatchQueue(label: "held")
        queue.suspend()
        #expect(fixture.register(using: queue) { $0.log("begun") })
        fixture.launch()
        fixture.host.expire(1)
        queue.resume()
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
        #expect(fixture.host.lines.first?.message == "begun")
    }
}
