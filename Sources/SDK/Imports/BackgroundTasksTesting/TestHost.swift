@_spi(LullTesting) public import BackgroundTasks
import CLullPlugin
import Synchronization

/// A host for an author's unit tests: drives the handlers that the app has registered, in the test's own process.
///
/// ```swift
/// @Suite(.serialized) struct RefreshTests {
///     @Test func `a refresh that expires is completed as failed`() async {
///         let host = TestHost(tasks: ["com.example.Feed.refresh": .refresh])
///         registerHandlers()  // the app's own
///         let run = host.launch("com.example.Feed.refresh")
///         await host.advance(by: .seconds(25))
///         #expect(await run.outcome == .failed)
///         #expect(host.pending.map(\.identifier) == ["com.example.Feed.refresh"])
///     }
/// }
/// ```
///
/// There is one scheduler in a process: each new host makes it forget what was registered before, so tests that have a host run
/// one after the other. Time is the host's own and stands still until ``advance(by:)``. Nothing is launched by itself, and
/// conditions are not checked: that is for `lull simulate`.
public final class TestHost: Sendable {
    /// The kinds that a task may have, each with its time limit.
    public enum Kind: Sendable {
        /// 30 s.
        case refresh
        /// 10 min.
        case processing
        /// Without a limit.
        case continued
    }

    /// A pending request.
    public struct Request: Sendable, Equatable {
        /// The task to launch.
        public let identifier: String
        /// The kind of launch that it asks for.
        public let kind: Kind
        /// The launch comes no earlier.
        public let earliestBeginDate: Date?
        /// Whether it waits for a network.
        public let requiresNetworkConnectivity: Bool
        /// Whether it waits for external power.
        public let requiresExternalPower: Bool
    }

    struct State: Sendable {
        var time = Duration.zero
        var pending: [Request] = []
        var messages: [String] = []
        var runs: [lull_task: TestRun] = [:]
        var watched: [lull_task: Watch] = [:]
        var refusal: (code: BGTaskScheduler.Error.Code, sentence: String)?
    }

    /// The handler to call when a run expires.
    struct Watch: Sendable {
        // Safe: it is the scheduler of this process, and handed back to it alone.
        nonisolated(unsafe) var context: UnsafeMutableRawPointer?
        var handler: @Sendable @convention(c) (UnsafeMutableRawPointer?, lull_task) -> Void
    }

    /// How long before its limit a run expires, and how long after that it has to be completed.
    public static let grace = Duration.seconds(5)

    let tasks: [String: Kind]
    let state = Mutex(State())
    private let timeout: Duration
    /// Shared by all hosts, so that a run that outlives its test is none of the next one's.
    private static let lastNumber = Atomic<lull_task>(0)

    /// Makes a host, and has `BGTaskScheduler.shared` forget all others.
    /// - Parameters:
    ///   - app: The app's identifier.
    ///   - tasks: The tasks that `jobs.yaml` would permit, by full identifier; `com.example.App.export.*` for continued tasks.
    ///   - settings: The app's settings, as JSON.
    ///   - stateDirectory: The app's folder; the current one unless said.
    ///   - timeout: How long, in real time, a handler may take to complete a run that has expired, before the run counts as
    ///     killed.
    public init(
        app: String = "com.example.App", tasks: [String: Kind], settings: String = "{}",
        stateDirectory: String = FileManager.default.currentDirectoryPath, timeout: Duration = .seconds(2)
    ) {
        self.tasks = tasks
        self.timeout = timeout
        let table = makeTable(app: app, settings: settings, stateDirectory: stateDirectory, of: self)
        TestedScheduler.restart(on: table)
        currentHost.withLock { $0 = self }
    }

    /// Ends the app's launch, so that launched runs begin. ``launch(_:settings:)`` calls it by itself.
    public func finishLaunching() { TestedScheduler.finishLaunching() }

    /// Launches a task now, with or without a request, as the debugger's `_simulateLaunchForTaskWithIdentifier:`.
    ///
    /// A pending request is used up and decides the kind of the run; without one the permitted kind counts.
    /// - Parameter settings: The task's settings, as JSON.
    @discardableResult
    public func launch(_ identifier: String, settings: String = "{}") -> TestRun {
        finishLaunching()
        let run = state.withLock { state in
            let index = state.pending.firstIndex { $0.identifier == identifier }
            let kind = index.map { state.pending.remove(at: $0).kind } ?? kind(of: identifier) ?? .processing
            let number = Self.lastNumber.add(1, ordering: .relaxed).newValue
            let run = TestRun(
                identifier: identifier, kind: kind, number: number, began: state.time, host: self)
            state.runs[number] = run
            return run
        }
        identifier.withCString { identifier in
            settings.withCString { settings in
                var launch = lull_launch(
                    size: UInt32(MemoryLayout<lull_launch>.size), kind: run.kind.number, task: run.number,
                    identifier: identifier, deadline_ns: .max, settings: settings, title: nil,
                    subtitle: nil, protection: nil, origin: nil, payload: nil, payload_size: 0, merged: 0,
                    is_urgent: false)
                TestedScheduler.launch(&launch)
            }
        }
        return run
    }

    /// The kind that is permitted to a task; nil if the task is not permitted.
    func kind(of identifier: String) -> Kind? {
        tasks[identifier]
            ?? tasks.first { $0.key.hasSuffix(".*") && identifier.hasPrefix($0.key.dropLast()) }?.value
    }

    /// Lets time pass: runs expire ``grace`` before their limit, and one that is not completed ``grace`` after that is killed.
    public func advance(by span: Duration) async {
        let end = state.withLock { $0.time + span }
        while let (run, time) = nextStep(until: end) {
            state.withLock { $0.time = max($0.time, time) }
            if run.isExpired { await run.end(within: timeout) } else { run.expire() }
        }
        state.withLock { $0.time = end }
    }

    /// The run that is next to expire or to be killed, and when.
    private func nextStep(until end: Duration) -> (TestRun, Duration)? {
        let runs = state.withLock { Array($0.runs.values) }
        return runs.compactMap { run in run.nextStep.map { (run, $0) } }.filter { $0.1 <= end }
            .min { ($0.1, $0.0.number) < ($1.1, $1.0.number) }
    }

    /// How much time has passed.
    public var time: Duration { state.withLock(\.time) }

    /// The pending requests, in the order in which they were submitted.
    public var pending: [Request] { state.withLock(\.pending) }

    /// All messages that were logged, by runs and outside of them.
    public var messages: [String] { state.withLock(\.messages) }

    /// Refuses each submit from now on with this error; nil accepts them again.
    public func refuseSubmits(
        with code: BGTaskScheduler.Error.Code?, _ sentence: String = "The test refuses it."
    ) {
        state.withLock { $0.refusal = code.map { ($0, sentence) } }
    }
}

extension TestHost.Kind {
    var number: lull_kind {
        switch self {
        case .refresh: lull_kind(LULL_KIND_REFRESH)
        case .processing: lull_kind(LULL_KIND_PROCESSING)
        case .continued: lull_kind(LULL_KIND_CONTINUED)
        }
    }

    init(_ number: lull_kind) {
        switch number {
        case lull_kind(LULL_KIND_REFRESH): self = .refresh
        case lull_kind(LULL_KIND_CONTINUED): self = .continued
        default: self = .processing
        }
    }

    /// The default time limit of this kind.
    var limit: Duration? {
        switch self {
        case .refresh: .seconds(30)
        case .processing: .seconds(600)
        case .continued: nil
        }
    }
}
