import CLullPlugin
import Foundation
import Synchronization
import Testing

@testable import BackgroundTasks

/// A launch for transfers that ended while the app did not run, as its delegate sees it.
@MainActor @Suite struct TransferLaunchTests {
    private static let transfers = "com.example.Feed.transfers"
    private let fixture = Fixture(permitted: [transfers])
    private let events = SessionEvents()

    /// Calls the completion handlers when the test says so.
    private final class Delegate: NSObject, UIApplicationDelegate {
        var told: [String] = []
        var handlers: [() -> Void] = []

        func application(
            _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
            completionHandler: @escaping () -> Void
        ) {
            told.append(identifier)
            handlers.append(completionHandler)
        }
    }

    /// A delegate without the method for it.
    private final class Without: NSObject, UIApplicationDelegate {}

    private func launch(_ delegate: any UIApplicationDelegate, _ origin: String?) {
        let events = events
        TransferLaunch.register("here", in: fixture.scheduler.registry) { task in
            UIApplication.shared.hand(
                TransferLaunch.sessions(in: task.launchEvents), of: task, to: delegate, events: events)
        }
        fixture.scheduler.registry.finishLaunching()
        var launch = Launch(task: 1, kind: lull_kind(LULL_KIND_TRANSFERS), identifier: Self.transfers)
        launch.origin = origin
        fixture.scheduler.registry.launch(launch)
    }

    @Test func `the run ends when the delegate has called back for each session`() async {
        let delegate = Delegate()
        launch(delegate, #"{"sessions":["a1","b1"]}"#)
        while delegate.handlers.count < 2 { await Task.yield() }
        #expect(delegate.told == ["a1", "b1"])
        #expect(events.owed("a1") != nil && events.owed("b1") != nil)
        delegate.handlers[0]()
        delegate.handlers[0]()
        #expect(fixture.host.record.withLock(\.completed).isEmpty)
        delegate.handlers[1]()
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: true))
    }

    @Test func `a delegate that does not call back fails the run when its time is up`() async {
        let delegate = Delegate()
        launch(delegate, #"{"sessions":["a2"]}"#)
        while delegate.handlers.isEmpty { await Task.yield() }
        fixture.expire()
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
    }

    @Test func `where nobody has the session the run fails, and the log says what to do`() async {
        launch(Without(), #"{"sessions":["a3"]}"#)
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: false))
    }

    @Test func `without sessions there is nothing to do`() async {
        launch(Without(), nil)
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: true))
    }

    @Test func `a delegate without the method leaves it to the session`() async {
        let told = Mutex<[String]>([])
        let events = events
        events.observe(
            .init(
                exists: { $0 == "a4" },
                launched: { identifier in
                    told.withLock { $0.append(identifier) }
                    events.settle(identifier)
                }))
        launch(Without(), #"{"sessions":["a4"]}"#)
        #expect(await fixture.host.nextCompletion() == .init(task: 1, success: true))
        #expect(told.withLock { $0 } == ["a4"])
    }

    @Test(arguments: ["", "{}", #"{"sessions":3}"#, "[]"])
    func `what names no sessions names none`(origin: String) {
        #expect(TransferLaunch.sessions(in: origin).isEmpty)
    }
}
