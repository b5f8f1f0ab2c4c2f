import CLullPlugin
import Testing

@testable import BackgroundTasks

@Suite struct RegistrationTests {
    let fixture = Fixture()

    @Test func `a permitted identifier is claimed at the host`() {
        #expect(fixture.register { _ in })
        #expect(fixture.host.record.withLock(\.registered) == [Fixture.refresh])
        #expect(fixture.host.lines.isEmpty)
    }

    @Test func `an identifier that is not permitted answers false and says what to do`() throws {
        #expect(!fixture.register("com.example.Other") { _ in })
        let line = try #require(fixture.host.lines.first)
        #expect(line.level == LULL_ERROR)
        #expect(line.message.contains("com.example.Other"))
        #expect(line.message.contains("jobs.yaml"))
    }

    @Test func `a second handler answers false and the first one stays`() async throws {
        let called = Left<String>()
        #expect(
            fixture.register {
                called.leave("first")
                $0.setTaskCompleted(success: true)
            })
        #expect(!fixture.register { _ in called.leave("second") })
        let line = try #require(fixture.host.lines.first)
        #expect(line.message.contains("No second handler for \(Fixture.refresh)"))
        fixture.launch()
        #expect(try await called.next() == "first")
    }

    @Test func `after the launch of the app no handler is registered`() throws {
        fixture.scheduler.finishLaunching()
        #expect(!fixture.register { _ in })
        #expect(fixture.host.record.withLock(\.registered).isEmpty)
        let line = try #require(fixture.host.lines.first)
        #expect(line.message.contains(Fixture.refresh))
        #expect(line.message.contains("didFinishLaunching()"))
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
