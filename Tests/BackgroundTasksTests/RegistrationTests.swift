import CLullPlugin
import Testing

@testable import BackgroundTasks

/// Section 2.1 of the behaviour: which identifiers may be registered, and when.
@Suite struct RegistrationTests {
    let fixture = Fixture()

    @Test func `2.1: a permitted identifier is claimed at the host`() {
        #expect(fixture.register { _ in })
        #expect(fixture.host.record.withLock(\.registered) == [Fixture.refresh])
        #expect(fixture.host.lines.isEmpty && fixture.host.faults.isEmpty)
    }

    @Test func `2.1: an identifier that is not permitted answers false and says what to do`() throws {
        #expect(!fixture.register("com.example.Other") { _ in })
        let line = try #require(fixture.host.lines.first)
        #expect(line.level == LULL_ERROR)
        #expect(line.message.contains("com.example.Other"))
        #expect(line.message.contains("jobs.yaml"))
        #expect(fixture.host.faults.isEmpty)
    }

    @Test func `2.1: a second handler is reported with both places and the first one stays`() async throws {
        let called = Left<String>()
        #expect(
            fixture.register(file: "Feed/AppDelegate.swift", line: 12) {
                called.leave("first")
                $0.setTaskCompleted(success: true)
            })
        #expect(
            !fixture.register(file: "Feed/Singleton.swift", line: 7) { _ in called.leave("second") })
        #expect(
            fixture.host.faults == [
                .init(
                    fault: LULL_FAULT_REGISTERED_TWICE, subject: Fixture.refresh,
                    place: "Feed/Singleton.swift:7", earlierPlace: "Feed/AppDelegate.swift:12")
            ])
        let line = try #require(fixture.host.lines.first)
        #expect(line.message.contains("it has one from Feed/AppDelegate.swift:12"))
        fixture.launch()
        #expect(try await called.next() == "first")
    }

    @Test func `2.1: permission is asked for before a second handler is`() {
        #expect(!fixture.register("com.example.Other") { _ in })
        #expect(!fixture.register("com.example.Other") { _ in })
        #expect(fixture.host.faults.isEmpty)
    }

    @Test func `2.1: after the launch of the app no handler is registered, and that is reported`() throws {
        fixture.finishLaunching()
        #expect(!fixture.register(file: "Feed/Late.swift", line: 3) { _ in })
        #expect(fixture.host.record.withLock(\.registered).isEmpty)
        #expect(
            fixture.host.faults == [
                .init(
                    fault: LULL_FAULT_REGISTERED_LATE, subject: Fixture.refresh, place: "Feed/Late.swift:3")
            ])
        let line = try #require(fixture.host.lines.first)
        #expect(line.message.contains(Fixture.refresh))
        #expect(line.message.contains("didFinishLaunching()"))
    }

    @Test func `2.1: a continued task is registered when it is needed`() async throws {
        let export = "com.example.Feed.export.42"
        fixture.host.record.withLock { $0.continued = [export] }
        fixture.finishLaunching()
        let given = Left<String>()
        #expect(fixture.register(export) { given.leave($0.identifier) })
        #expect(fixture.host.faults.isEmpty)
        fixture.launch(export, kind: LULL_KIND_CONTINUED)
        #expect(try await given.next() == export)
    }

    @Test func `2.4: an identifier goes to its own handler, else to that of the longest wildcard`()
        async throws
    {
        let names = ["com.example.Feed.*", "com.example.Feed.export.*", "com.example.Feed.export.1"]
        let fixture = Fixture(permitted: Set(names))
        let given = Left<String>()
        for name in names { #expect(fixture.register(name) { given.leave("\(name) \($0.identifier)") }) }
        fixture.launch("com.example.Feed.export.1", number: 1, kind: LULL_KIND_CONTINUED)
        #expect(try await given.next() == "com.example.Feed.export.1 com.example.Feed.export.1")
        fixture.launch("com.example.Feed.export.2", number: 2, kind: LULL_KIND_CONTINUED)
        #expect(try await given.next() == "com.example.Feed.export.* com.example.Feed.export.2")
        fixture.launch("com.example.Feed.import", number: 3, kind: LULL_KIND_CONTINUED)
        #expect(try await given.next() == "com.example.Feed.* com.example.Feed.import")
        fixture.launch("com.example.Feedback", number: 4, kind: LULL_KIND_CONTINUED)
        #expect(fixture.host.completed.contains(.init(task: 4, success: false)))
    }

    @Test func `2.1: a launch before the app has launched waits for its handler`() async throws {
        let given = Left<lull_task>()
        let launch = Launch(task: 9, kind: lull_kind(LULL_KIND_REFRESH), identifier: Fixture.refresh)
        fixture.scheduler.registry.launch(launch)
        #expect(fixture.host.completed.isEmpty && fixture.host.lines.isEmpty)
        #expect(fixture.register { given.leave($0.run.launch.task) })
        fixture.finishLaunching()
        #expect(try await given.next() == 9)
    }

    @Test func `2.1: an expiration before the app has launched waits as well`() async {
        let launch = Launch(task: 9, kind: lull_kind(LULL_KIND_REFRESH), identifier: Fixture.refresh)
        fixture.scheduler.registry.launch(launch)
        fixture.host.expire(9)
        #expect(fixture.host.completed.isEmpty)
        #expect(
            fixture.register { task in task.expirationHandler = { task.setTaskCompleted(success: true) } })
        fixture.finishLaunching()
        #expect(await fixture.host.nextCompletion() == .init(task: 9, success: true))
    }

    @Test func `an identifier with a NUL is not taken for its beginning`() {
        #expect(!fixture.register(Fixture.refresh + "\0x") { _ in })
        #expect(fixture.host.record.withLock(\.registered).isEmpty)
    }

    @Test func `the result may be ignored`() {
        fixture.scheduler.register(forTaskWithIdentifier: Fixture.refresh, using: nil) { _ in }
        #expect(fixture.host.record.withLock(\.registered) == [Fixture.refresh])
    }

    @Test func `without a worker nothing is registered`() {
        let scheduler = BGTaskScheduler(host: nil)
        #expect(!scheduler.register(forTaskWithIdentifier: Fixture.refresh, using: nil) { _ in })
    }
}
