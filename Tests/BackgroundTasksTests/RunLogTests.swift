import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

/// The run to which a log line belongs when its code was handed no task.
@Suite struct RunLogTests {
    let fixture = Fixture()

    @Test func `a line of a handler, and of a Swift task that it begins, belongs to its run`() async throws {
        let done = Left<BGTask>()
        try #require(
            fixture.register { task in
                LullRunLog.current?("in the handler")
                let supervisor = task
                Task {
                    LullRunLog.current?("in a task of its own", level: .debug)
                    done.leave(supervisor)
                }
            })
        fixture.launch(number: 7)
        let task = try await done.next()
        let lines = fixture.host.lines.map { "\($0.task ?? 0) \($0.message)" }
        #expect(lines == ["7 in the handler", "7 in a task of its own"])
        task.setTaskCompleted(success: true)
    }

    @Test func `a line of an expiration handler belongs to its run`() async throws {
        let task = try await fixture.runningTask()
        task.expirationHandler = {
            LullRunLog.current?("expired")
            task.setTaskCompleted(success: false)
        }
        fixture.expire()
        _ = await fixture.host.nextCompletion()
        #expect(fixture.host.lines.map(\.message) == ["expired"])
        #expect(fixture.host.lines.first?.task == 1)
    }

    @Test func `on a queue it is the only run that is under way, and none of several`() async throws {
        let registry = fixture.scheduler.registry
        #expect(registry.onlyRun == nil)
        let given = Left<BGTask>()
        try #require(fixture.register { given.leave($0) })
        fixture.launch(number: 1)
        let first = try await given.next()
        #expect(registry.onlyRun?.launch.task == 1)
        fixture.launch(number: 2)
        let second = try await given.next()
        #expect(registry.onlyRun == nil)
        first.setTaskCompleted(success: true)
        #expect(registry.onlyRun?.launch.task == 2)
        second.setTaskCompleted(success: true)
    }

    @Test func `what outlives its run writes to no run`() async throws {
        let over = Left<Bool>()
        try #require(
            fixture.register { task in
                task.setTaskCompleted(success: true)
                over.leave(LullRunLog.current == nil)
            })
        fixture.launch()
        #expect(try await over.next())
    }
}
