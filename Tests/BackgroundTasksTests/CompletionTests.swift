import CLullPlugin
import Dispatch
import Testing

@testable import BackgroundTasks

/// Section 2.3 of the behaviour: the end of a run.
@Suite struct CompletionTests {
    let fixture = Fixture()

    @Test func `2.3: completing twice changes nothing, and the host is told`() async throws {
        let task = try await fixture.runningTask()
        task.setTaskCompleted(success: true)
        #expect(!fixture.scheduler.registry.isRunning(1))
        task.setTaskCompleted(success: false)
        // The worker accepts the first one and records the second.
        #expect(fixture.host.completed == [.init(task: 1, success: true), .init(task: 1, success: false)])
    }

    @Test func `2.3: a task that expired is completed by its author`() async throws {
        let task = try await fixture.runningTask()
        let expired = Left<Bool>()
        task.expirationHandler = { expired.leave(true) }
        fixture.host.expire(1)
        #expect(try await expired.next())
        #expect(fixture.scheduler.registry.isRunning(1) && fixture.host.completed.isEmpty)
        task.setTaskCompleted(success: true)
        #expect(fixture.host.completed == [.init(task: 1, success: true)])
    }

    @Test func `2.3: the expiration handler is cleared before it is called, and not on the run's queue`()
        async throws
    {
        let queue = DispatchQueue(label: "the run's own")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        DispatchQueue.main.setSpecific(key: key, value: true)
        let found = Left<Bool>()
        #expect(
            fixture.register(using: queue) { task in
                task.expirationHandler = {
                    found.leave(task.expirationHandler == nil)
                    found.leave(DispatchQueue.getSpecific(key: key) == nil)
                    task.setTaskCompleted(success: false)
                }
                found.leave(DispatchQueue.getSpecific(key: key) == true)
            })
        fixture.launch()
        #expect(try await found.next())
        fixture.host.expire(1)
        #expect(try await found.next(), "it is still set")
        #expect(try await found.next(), "it is called on the run's queue, or on the main one")
    }

    @Test func `2.3: a task that is dropped without completion fails its run`() async throws {
        #expect(fixture.register(file: "Feed/AppDelegate.swift", line: 12) { _ in })
        fixture.launch()
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
        let line = try #require(fixture.host.lines.first)
        #expect(line.level == LULL_ERROR && line.task == 1)
        #expect(line.message.hasPrefix("Task \(Fixture.refresh) dealloc'd without completing."))
        #expect(
            fixture.host.faults == [
                .init(
                    fault: LULL_FAULT_TASK_DROPPED, task: 1, subject: Fixture.refresh,
                    earlierPlace: "Feed/AppDelegate.swift:12")
            ])
    }

    @Test func `2.3: a task lives as long as somebody refers to it and is dropped then`() async throws {
        var task: BGTask? = try await fixture.runningTask()
        #expect(task?.identifier == Fixture.refresh)
        #expect(fixture.host.completed.isEmpty && fixture.host.faults.isEmpty)
        task = nil
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
    }

    @Test func `2.3: its own expiration handler keeps a task until it is completed`() async throws {
        /// Says when the expiration handler goes. The task itself may be in another thread's hands for longer.
        final class Captured: Sendable {
            let gone: Left<Bool>
            init(_ gone: Left<Bool>) { self.gone = gone }
            deinit { gone.leave(true) }
        }
        weak var kept: BGTask?
        let given = Left<BGTask>()
        let gone = Left<Bool>()
        #expect(
            fixture.register { task in
                let captured = Captured(gone)
                task.expirationHandler = {
                    withExtendedLifetime(captured) { task.setTaskCompleted(success: false) }
                }
                given.leave(task)
            })
        fixture.launch()
        kept = try await given.next()
        #expect(kept != nil && fixture.scheduler.registry.isRunning(1))
        kept?.setTaskCompleted(success: true)
        #expect(try await gone.next())
        #expect(fixture.host.completed == [.init(task: 1, success: true)])
    }

    @Test func `2.3: a completed task may be dropped`() async throws {
        #expect(fixture.register { $0.setTaskCompleted(success: true) })
        fixture.launch()
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: true))
        #expect(fixture.host.faults.isEmpty)
    }

    @Test func `2.3: a failed run is not submitted again`() async throws {
        let task = try await fixture.runningTask()
        task.setTaskCompleted(success: false)
        #expect(fixture.host.submitted.isEmpty)
    }

    @Test func `tasks are told apart by identity, as objects are`() async throws {
        let given = Left<BGTask>()
        #expect(fixture.register { given.leave($0) })
        fixture.launch(number: 1)
        fixture.launch(number: 2)
        let (one, two) = (try await given.next(), try await given.next())
        #expect(one == one && one != two && one.isEqual(one))
        #expect(Set([one, two, one]).count == 2)
        #expect("\(one)" == "<BGAppRefreshTask: \(Fixture.refresh)>")
        for task in [one, two] { task.setTaskCompleted(success: true) }
    }
}
