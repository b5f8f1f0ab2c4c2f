import CLullPlugin
import Foundation
import Synchronization

/// One run of a task, handed to its handler.
///
/// The handler does its work, on any thread and for as long as the run may last, and then calls
/// `setTaskCompleted(success:)`. The scheduler keeps the object until then. `expirationHandler` is called at
/// most once, when the time is nearly up or the conditions are gone.
// Sendable: `state` is behind a mutex, all else is immutable, and no subclass adds state or can be made
// elsewhere.
public class BGTask: NSObject, @unchecked Sendable {
    /// The task that this is a run of.
    public let identifier: String

    /// The task's settings from `jobs.yaml`, as JSON; `{}` when it has none.
    public let settingsJSON: String

    let number: lull_task
    private let scheduler: BGTaskScheduler
    private let state = Mutex(State())

    private struct State: Sendable {
        var expirationHandler: ExpirationHandler?
        var hasBegun = false
        /// The expiration came before the handler had begun, and waits for it to set an expiration handler.
        var owesExpiration = false
        var isCompleted = false
    }

    init(_ launch: Launch, scheduler: BGTaskScheduler) {
        identifier = launch.identifier
        settingsJSON = launch.settings
        number = launch.task
        self.scheduler = scheduler
        super.init()
    }

    /// Called when the run has to end soon: stop, save what is worth saving, and complete the task.
    ///
    /// Cleared once it was called and by `setTaskCompleted(success:)`. A run without one is completed as
    /// failed in its place. A handler written in an actor's code runs on that actor, any other on a queue
    /// that the launch handler can't block.
    public var expirationHandler: (@isolated(any) () -> Void)? {
        get {
            state.withLock { $0.expirationHandler }?.body
        }
        set {
            let handler = newValue.map(ExpirationHandler.init)
            let isOwed = state.withLock { state in
                guard !state.isCompleted else { return false }
                guard state.owesExpiration, handler != nil else {
                    state.expirationHandler = handler
                    return false
                }
                state.owesExpiration = false
                return true
            }
            if isOwed { handler?.call() }
        }
    }

    /// Ends the run. Only the first call counts; a second one is recorded against the plugin.
    public func setTaskCompleted(success: Bool) {
        state.withLock { state in
            state.isCompleted = true
            state.owesExpiration = false
            state.expirationHandler = nil
        }
        scheduler.complete(self, success: success)
    }

    /// The handler is about to be called.
    func begin() {
        state.withLock { $0.hasBegun = true }
    }

    /// The handler has returned; its work may go on.
    func handlerReturned() {
        let isOwed = state.withLock { state in
            defer { state.owesExpiration = false }
            return state.owesExpiration
        }
        if isOwed { completeUnexpired() }
    }

    /// The host expires the run.
    func expire() {
        enum Answer { case nothing, call(ExpirationHandler), complete }
        let answer: Answer = state.withLock { state in
            guard !state.isCompleted else { return .nothing }
            if let handler = state.expirationHandler {
                state.expirationHandler = nil
                return .call(handler)
            }
            guard state.hasBegun else {
                state.owesExpiration = true
                return .nothing
            }
            return .complete
        }
        switch answer {
        case .nothing: break
        case .call(let handler): handler.call()
        case .complete: completeUnexpired()
        }
    }

    private func completeUnexpired() {
        log("The run expired and has no expirationHandler; it is completed as failed.", level: .warning)
        setTaskCompleted(success: false)
    }

    public override var description: String { "<\(type(of: self)): \(identifier)>" }
}

/// A run of a task that fetches what is new, shortly before the app is likely to be used.
public class BGAppRefreshTask: BGTask, @unchecked Sendable {}  // As BGTask: it adds no state.

/// A run of a task that may take minutes, in a lull of the host.
public class BGProcessingTask: BGTask, @unchecked Sendable {}  // As BGTask: it adds no state.

extension BGTask {
    /// The task's settings, decoded; `snake_case` keys fit `camelCase` properties.
    public func settings<T: Decodable>(as type: T.Type) throws -> T {
        try LullSettingsError.decode(type, from: settingsJSON, of: "task \(identifier)")
    }

    /// Writes a line to the log of this run.
    public func log(_ message: String, level: LullLogLevel = .info) {
        scheduler.log(message, level: level, task: self)
    }
}
