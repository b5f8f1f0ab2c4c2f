import CLullPlugin
import Dispatch
import Synchronization

/// One run, from its launch to its completion: the state that its task object and the registry share.
///
/// The first end counts: the author's completion, an expiration without a handler, or the loss of the task object. Only a
/// second completion by the author is passed to the host again, which records it.
final class Run: Sendable {
    let launch: Launch
    private let registry: Registry
    private let state = Mutex(State())

    fileprivate struct State: Sendable {
        var expirationHandler: ExpirationHandler?
        var hasBegun = false
        /// Where its handler was registered.
        var place: String?
        var hasReturned = false
        /// The run expired before its handler had returned; the handler may still set an expiration handler.
        var owesExpiration = false
        var isCompleted = false
        /// The SDK ended the run in the author's place; the author's first completion after that is ignored.
        var isEndedForAuthor = false
    }

    /// Whether an author's test made the task: no host launched it, and no host waits for its end.
    let isStandIn: Bool

    init(_ launch: Launch, registry: Registry, isStandIn: Bool = false) {
        self.launch = launch
        self.registry = registry
        self.isStandIn = isStandIn
    }

    static var standIn: Run {
        Run(
            Launch(task: 0, kind: lull_kind(LULL_KIND_PROCESSING), identifier: ""),
            registry: Registry(host: nil), isStandIn: true)
    }

    /// Makes the task object for the handler, of the class for the kind of launch.
    func makeTask() -> BGTask {
        switch launch.kind {
        case lull_kind(LULL_KIND_REFRESH): BGAppRefreshTask(self)
        case lull_kind(LULL_KIND_CONTINUED): BGContinuedProcessingTask(self)
        case lull_kind(LULL_KIND_PUSH): LullPushTask(self)
        default: launch.protection == nil ? BGProcessingTask(self) : BGHealthResearchTask(self)
        }
    }

    var isCompleted: Bool { state.withLock(\.isCompleted) }

    var expirationHandler: ExpirationHandler? { state.withLock(\.expirationHandler) }

    func setExpirationHandler(_ handler: ExpirationHandler?) {
        let isOwed = state.withLock { state in
            guard !state.isCompleted else { return false }
            guard state.owesExpiration, handler != nil else {
                state.expirationHandler = handler
                return false
            }
            state.owesExpiration = false
            return true
        }
        if isOwed { CurrentRun.$run.withValue(self) { handler?.call() } }
    }

    /// The author completes the task.
    func complete(success: Bool) {
        let isLate = state.withLock { state in
            defer {
                state.isEndedForAuthor = false
                state.end()
            }
            return state.isEndedForAuthor
        }
        if !isLate { registry.complete(self, success: success) }
    }

    /// Ends the run as failed in its author's place.
    func completeForAuthor() {
        let isFirst = state.withLock { state in
            guard !state.isCompleted else { return false }
            state.end()
            state.isEndedForAuthor = true
            return true
        }
        if isFirst { registry.complete(self, success: false) }
    }

    /// The handler, registered at this place, is about to be called.
    func begin(_ place: String?) {
        state.withLock { state in
            state.hasBegun = true
            state.place = place
        }
    }

    /// The handler has returned; its work may go on.
    func handlerReturned() {
        let isOwed = state.withLock { state in
            state.hasReturned = true
            return state.settle()
        }
        if isOwed { completeUnexpired() }
    }

    /// The host expires the run.
    func expire() {
        enum Answer { case nothing, call(ExpirationHandler), wait, complete }
        let answer: Answer = state.withLock { state in
            guard !state.isCompleted else { return .nothing }
            if let handler = state.expirationHandler {
                state.expirationHandler = nil
                return .call(handler)
            }
            guard !state.hasReturned else { return .complete }
            state.owesExpiration = true
            return state.hasBegun ? .wait : .nothing
        }
        switch answer {
        case .nothing: break
        case .call(let handler): CurrentRun.$run.withValue(self) { handler.call() }
        case .wait:
            DispatchQueue.global().asyncAfter(deadline: .now() + registry.patience.withLock { $0 }) {
                [self] in
                if state.withLock({ $0.settle() }) { completeUnexpired() }
            }
        case .complete: completeUnexpired()
        }
    }

    /// The task object was dropped: if the run is not completed, nobody can complete it any more.
    func drop() {
        guard !isCompleted, !isStandIn else { return }
        log(
            "Task \(launch.identifier) dealloc'd without completing. This is a programmer error: keep the task "
                + "until setTaskCompleted(success:). The run is completed as failed.",
            level: .error
        )
        registry.host?.report(
            .taskDropped, task: launch.task, subject: launch.identifier,
            earlierPlace: state.withLock(\.place))
        completeForAuthor()
    }

    func log(_ message: String, level: LullLogLevel) {
        registry.log(message, level: level, of: launch)
    }

    /// Writes to the run's output; false if the host can't keep it with the run.
    func print(_ bytes: UnsafeRawBufferPointer, to stream: LullRunOutput.Stream) -> Bool {
        registry.host?.print(bytes, to: stream, of: launch.task) ?? false
    }

    func show(_ progress: TaskProgress.Reading) {
        guard !isCompleted else { return }
        registry.host?.show(progress, of: launch.task)
    }

    func show(title: String, subtitle: String) {
        guard !isCompleted else { return }
        registry.host?.show(title: title, subtitle: subtitle, of: launch.task)
    }

    func report(_ text: String) {
        guard !isCompleted else { return }
        registry.host?.report(push: text, of: launch.task)
    }

    private func completeUnexpired() {
        log("The run expired and has no expirationHandler; it is completed as failed.", level: .warning)
        completeForAuthor()
    }
}

extension Run.State {
    /// Whether an expiration is still owed; it is not after this.
    fileprivate mutating func settle() -> Bool {
        defer { owesExpiration = false }
        return owesExpiration
    }

    fileprivate mutating func end() {
        isCompleted = true
        owesExpiration = false
        expirationHandler = nil
    }
}
