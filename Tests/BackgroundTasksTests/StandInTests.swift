import Foundation
import Testing

@testable import BackgroundTasks

/// Stand-ins for the scheduler and for a task, as apps' unit tests write them.
@Suite struct StandInTests {
    private final class Scheduler: BGTaskScheduler, @unchecked Sendable {
        var handlers: [String: (BGTask) -> Void] = [:]
        var submitted: [String] = []

        override func register(
            forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
            launchHandler: @escaping (BGTask) -> Void
        ) -> Bool {
            handlers[identifier] = launchHandler
            return true
        }
        override func submit(_ taskRequest: BGTaskRequest) throws { submitted.append(taskRequest.identifier) }
        override func submitTaskRequest(_ taskRequest: BGTaskRequest) async throws {
            submitted.append(taskRequest.identifier + " async")
        }
        override func submitTaskRequest(
            _ taskRequest: BGTaskRequest, completionHandler: @escaping @Sendable ((any Swift.Error)?) -> Void
        ) { submitted.append(taskRequest.identifier + " completion") }
    }

    private final class Refresh: BGAppRefreshTask, @unchecked Sendable {
        let completed = Left<Bool>()

        override var identifier: String { "com.example.Feed.refresh" }
        override func setTaskCompleted(success: Bool) { completed.leave(success) }
    }

    @Test func `a subclass of the scheduler has the last word, whichever form is called`() async throws {
        let stand = Scheduler()
        let scheduler: BGTaskScheduler = stand
        #expect(
            scheduler.register(forTaskWithIdentifier: Fixture.refresh, using: nil) {
                $0.setTaskCompleted(success: true)
            })
        try scheduler.submit(BGAppRefreshTaskRequest(identifier: "a"))
        try await scheduler.submitTaskRequest(BGAppRefreshTaskRequest(identifier: "b"))
        scheduler.submitTaskRequest(BGAppRefreshTaskRequest(identifier: "c")) { _ in }
        #expect(stand.submitted == ["a", "b async", "c completion"])

        let task = Refresh()
        stand.handlers[Fixture.refresh]?(task)
        #expect(try await task.completed.next())
    }

    @Test func `a task that a test makes keeps its expiration handler and is no run`() async throws {
        let called = Left<Int>()
        let task = BGProcessingTask()
        task.expirationHandler = { called.leave(1) }
        await task.expirationHandler?()
        #expect(try await called.next() == 1)
        task.setTaskCompleted(success: true)
        #expect(task.identifier.isEmpty && task.run.isCompleted)
    }

    @Test func `what a subclass does not override goes the way of the app's scheduler`() {
        #expect(Scheduler().registry === BGTaskScheduler.shared.registry)
    }
}
