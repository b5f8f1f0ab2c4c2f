import BackgroundTasks
import BackgroundTasksTesting
import Synchronization

// An author's app and its tests, as a separate program: in one process with Lull's own tests it would take over their shared
// scheduler.

extension BGTask: @unchecked @retroactive Sendable {}

enum FeedTasks {
    static let refresh = "com.example.Feed.refresh"
    static let cleaning = "com.example.Feed.cleaning"

    static func register() {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: refresh, using: nil) { task in
            schedule()
            LullRunLog.current?("refreshing")
            task.setTaskCompleted(success: true)
        }
        BGTaskScheduler.shared.register(forTaskWithIdentifier: cleaning, using: nil) { task in
            let work = Task {
                await endless()
                task.setTaskCompleted(success: !Task.isCancelled)
            }
            task.expirationHandler = { work.cancel() }
        }
    }

    /// Returns when the task is cancelled.
    private static func endless() async {
        let (nothing, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in nothing {}
    }

    static func schedule() {
        let request = BGAppRefreshTaskRequest(identifier: refresh)
        request.earliestBeginDate = Date(timeIntervalSince1970: 2_000_000_000)
        try? BGTaskScheduler.shared.submit(request)
    }
}

@main
enum AuthorTests {
    static let failures = Mutex(0)

    static func expect(_ isSo: Bool, _ what: String) {
        print(isSo ? "ok      \(what)" : "FAILED  \(what)")
        if !isSo { failures.withLock { $0 += 1 } }
    }

    static func host() -> TestHost {
        let host = TestHost(
            tasks: [FeedTasks.refresh: .refresh, FeedTasks.cleaning: .processing],
            settings: #"{"keep_days":3}"#, timeout: .milliseconds(50))
        FeedTasks.register()
        return host
    }

    static func main() async {
        await completion()
        await expiration()
        await killing()
        await submits()
        await simulations()
        exit(failures.withLock { $0 } == 0 ? 0 : 1)
    }

    static func completion() async {
        let host = host()
        FeedTasks.schedule()
        expect(host.pending.map(\.identifier) == [FeedTasks.refresh], "a request waits")
        expect(LullApp.settingsJSON.contains(#""keep_days":3"#), "the app has its settings")
        let run = host.launch(FeedTasks.refresh)
        expect(await run.outcome == .succeeded && run.completions == 1, "a run is completed")
        expect(
            run.kind == .refresh && host.pending.count == 1, "the request is used up, and the next one waits")
        let date = Date(timeIntervalSince1970: 2_000_000_000)
        expect(host.pending.first?.earliestBeginDate == date, "a request keeps its date")
        expect(host.messages == ["refreshing"], "what a run logs can be read")
    }

    static func expiration() async {
        let host = host()
        let run = host.launch(FeedTasks.cleaning)
        await host.advance(by: .seconds(594))
        expect(run.isRunning && !run.isExpired, "nothing expires before its time")
        await host.advance(by: .seconds(1))
        expect(await run.outcome == .failed && run.isExpired, "a run expires before its limit")
        expect(host.time == .seconds(595), "the clock is the test's")
    }

    static func killing() async {
        let host = TestHost(tasks: ["com.example.Feed.stuck": .refresh], timeout: .milliseconds(50))
        let kept = Mutex<BGTask?>(nil)
        BGTaskScheduler.shared.register(forTaskWithIdentifier: "com.example.Feed.stuck", using: nil) { task in
            task.expirationHandler = {}
            kept.withLock { $0 = task }
        }
        let run = host.launch("com.example.Feed.stuck")
        while kept.withLock({ $0 == nil }) { await Task.yield() }
        await host.advance(by: .seconds(29))
        expect(run.isRunning && run.isExpired, "a run that expired has its grace")
        await host.advance(by: .seconds(1))
        expect(await run.outcome == .killed, "one that is not completed then is killed")
        let unknown = host.launch("com.example.Feed.refresh")
        expect(await unknown.outcome == .failed, "a new host knows no handler of the one before")
    }

    static func submits() async {
        let host = host()
        func code(_ request: BGTaskRequest) -> BGTaskScheduler.Error.Code? {
            do {
                try BGTaskScheduler.shared.submit(request)
                return nil
            } catch {
                return (error as? BGTaskScheduler.Error)?.code
            }
        }
        let unknown = BGProcessingTaskRequest(identifier: "com.example.Feed.unknown")
        expect(code(unknown) == .notPermitted, "what is not permitted is refused")
        let cleaning = BGProcessingTaskRequest(identifier: FeedTasks.cleaning)
        cleaning.requiresExternalPower = true
        expect(code(cleaning) == nil && code(cleaning) == nil, "a request replaces its predecessor")
        expect(host.pending.count == 1 && host.pending[0].requiresExternalPower, "and says what it requires")
        let copies = await BGTaskScheduler.shared.pendingTaskRequests()
        expect((copies.first as? BGProcessingTaskRequest)?.requiresExternalPower == true, "the app reads it")
        host.refuseSubmits(with: .unavailable)
        expect(code(cleaning) == .unavailable, "a test may have submits refused")
        BGTaskScheduler.shared.cancelAllTaskRequests()
        expect(host.pending.isEmpty, "what is cancelled no longer waits")
        let isLate = !BGTaskScheduler.shared.register(
            forTaskWithIdentifier: "com.example.Feed.unknown", using: nil
        ) { _ in }
        expect(isLate, "an identifier that is not permitted gets no handler")
    }

    static func simulations() async {
        let host = host()
        BGTaskScheduler.shared._simulateLaunchForTaskWithIdentifier(FeedTasks.cleaning)
        let run = host.launches(of: FeedTasks.cleaning)[0]
        BGTaskScheduler.shared._simulateExpirationForTaskWithIdentifier(FeedTasks.cleaning)
        expect(await run.outcome == .failed, "the debugger's calls have a form in code")
    }
}
