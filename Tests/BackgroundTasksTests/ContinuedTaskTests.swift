import CLullPlugin
import Foundation
import Testing

@testable import BackgroundTasks

/// Section 2.4 of the behaviour: work that a person watches.
@Suite struct ContinuedTaskTests {
    let fixture = Fixture()

    private func runningTask() async throws -> BGContinuedProcessingTask {
        try #require(try await fixture.runningTask(kind: LULL_KIND_CONTINUED) as? BGContinuedProcessingTask)
    }

    @Test func `2.4: what is set in its progress is shown`() async throws {
        let task = try await runningTask()
        task.progress.totalUnitCount = 10
        task.progress.completedUnitCount = 3
        task.progress.completedUnitCount = 3
        #expect(fixture.host.shown == [.progress(1, 0, 10), .progress(1, 3, 10)])
        #expect((task as any ProgressReporting).progress === task.progress)
        task.setTaskCompleted(success: true)
        task.progress.completedUnitCount = 10
        #expect(fixture.host.shown.count == 2)
    }

    @Test func `2.4: children count in its progress`() async throws {
        let task = try await runningTask()
        let progress = try #require(task.progress as? TaskProgress)
        progress.totalUnitCount = 2
        let child = Progress(totalUnitCount: 4, parent: progress, pendingUnitCount: 1)
        child.completedUnitCount = 2
        progress.report()
        #expect(fixture.host.shown.last == .progress(1, 2500, 10_000))
        child.completedUnitCount = 4
        progress.report()
        #expect(fixture.host.shown.last == .progress(1, 1, 2))
        task.setTaskCompleted(success: true)
    }

    @Test func `2.4: an end that can't be told is a total of 0`() async throws {
        let task = try await runningTask()
        task.progress.totalUnitCount = -1
        task.progress.completedUnitCount = 5
        #expect(fixture.host.shown.last == .progress(1, 5, 0))
        task.setTaskCompleted(success: true)
    }

    @Test func `2.4: its titles are those of the request until they are changed`() async throws {
        let given = Left<BGTask>()
        #expect(fixture.register { given.leave($0) })
        fixture.finishLaunching()
        var launch = Launch(task: 1, kind: lull_kind(LULL_KIND_CONTINUED), identifier: Fixture.refresh)
        launch.title = "Exporting"
        launch.subtitle = "42 pictures"
        fixture.scheduler.registry.launch(launch)
        let task = try #require(try await given.next() as? BGContinuedProcessingTask)
        #expect(task.title == "Exporting" && task.subtitle == "42 pictures")
        task.updateTitle("Uploading", subtitle: "41 pictures")
        #expect(task.title == "Uploading" && task.subtitle == "41 pictures")
        #expect(fixture.host.shown.last == .titles(1, "Uploading", "41 pictures"))
        task.setTaskCompleted(success: true)
    }

    @Test func `2.4: cancelling it is an expiration`() async throws {
        let task = try await runningTask()
        task.expirationHandler = { task.setTaskCompleted(success: false) }
        fixture.host.expire(1)
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
    }

    @Test func `a health research request is launched as its class`() async throws {
        let given = Left<BGTask>()
        #expect(fixture.register { given.leave($0) })
        fixture.finishLaunching()
        var launch = Launch(task: 1, kind: lull_kind(LULL_KIND_PROCESSING), identifier: Fixture.refresh)
        launch.protection = "NSFileProtectionComplete"
        fixture.scheduler.registry.launch(launch)
        let task: BGProcessingTask = try #require(try await given.next() as? BGHealthResearchTask)
        task.setTaskCompleted(success: true)
    }

    @Test func `the supported resources are the host's`() {
        #expect(fixture.scheduler.registry.host?.resources == 1)
        // This process is not a worker.
        #expect(BGTaskScheduler.supportedResources == [])
        #expect(BGContinuedProcessingTaskRequest.Resources.gpu.rawValue == 1)
        #expect(BGContinuedProcessingTaskRequest.SubmissionStrategy(rawValue: 0) == .fail)
    }

    @Test func `a launch's titles and protection are read where there are any`() {
        "com.example.Feed.export".withCString { identifier in
            "Exporting".withCString { title in
                var launch = lull_launch(
                    size: UInt32(MemoryLayout<lull_launch>.size), kind: 3, task: 9, identifier: identifier,
                    deadline_ns: 0, settings: identifier, title: title, subtitle: nil, protection: title,
                    origin: title, payload: title, payload_size: 9, merged: 2, is_urgent: true)
                #expect(Launch(&launch).origin == "Exporting")
                #expect(Launch(&launch).title == "Exporting" && Launch(&launch).subtitle.isEmpty)
                #expect(Launch(&launch).protection == "Exporting")
                #expect(Launch(&launch).payload == "Exporting" && Launch(&launch).merged == 2)
                #expect(Launch(&launch).isUrgent)
                launch.size = UInt32(MemoryLayout<lull_launch>.offset(of: \.title) ?? 0)
                #expect(Launch(&launch).payload == "{}" && !Launch(&launch).isUrgent)
                #expect(Launch(&launch).title.isEmpty && Launch(&launch).protection == nil)
            }
        }
    }
}
