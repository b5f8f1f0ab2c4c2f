import CLullEntry
import CLullPlugin
import Foundation
import Synchronization

/// The app's handlers and the runs under way: the state of the scheduler that all threads share.
///
/// Where iOS would end the app, the host is told of the fault with the places in the source, and ends this app's
/// worker alone; where the worker is too old for that, the call fails and the log says why.
final class Registry: Sendable {
    /// Nil in a process that is no worker, such as the author's own tests.
    var host: HostTable? { currentHost.withLock { $0 } }
    private let currentHost: Mutex<HostTable?>
    let activities = Activities()
    private let state = Mutex(State())
    /// How long a handler that is under way when its run expires may take to set an expiration handler: `submit`, which
    /// Apple's samples call before, waits for the host for up to a second. Tests wait longer.
    let patience = Mutex(DispatchTimeInterval.milliseconds(1200))

    private struct State: Sendable {
        var isLaunching = true
        var handlers: [String: LaunchHandler] = [:]
        /// The runs that are not completed.
        var running: [lull_task: Run] = [:]
        /// Launches that came before the app had finished launching.
        var waiting: [Run] = []
    }

    init(host: HostTable?) {
        currentHost = Mutex(host)
    }

    /// Starts over on another host, as in a new process; for authors' tests.
    func restart(on host: HostTable?) {
        let earlier = state.withLock { state in
            defer { state = State() }
            return state
        }
        currentHost.withLock { $0 = host }
        // Released outside the lock: it may hold the last reference to a task, whose run then ends.
        withExtendedLifetime(earlier) {}
    }

    static let noWorker = "this process is not a Lull worker. Run the plugin with lull run."

    /// Sets the handler of one identifier; false, with a line in the log, when that is refused.
    func register(_ identifier: String, _ handler: LaunchHandler) -> Bool {
        guard let host else { return refuse(identifier, Self.noWorker) }
        let (isLaunching, earlier) = state.withLock { ($0.isLaunching, $0.handlers[identifier]) }
        if let earlier {
            host.report(
                .registeredTwice, subject: identifier, place: handler.place, earlierPlace: earlier.place)
            return refuse(
                identifier,
                "it has one from \(earlier.place ?? "an earlier call"), which stays. "
                    + "Register each identifier once.")
        }
        guard !identifier.holdsNul, host.register(identifier) else {
            guard isLaunching || !permits(identifier) else {
                host.report(.registeredLate, subject: identifier, place: handler.place)
                return refuse(
                    identifier,
                    "the app has finished launching. Register it in didFinishLaunching(); "
                        + "only continued tasks may be registered later.")
            }
            return refuse(
                identifier,
                identifier.contains(".")
                    ? "the host does not permit the identifier to this app. List it under the app's tasks in jobs.yaml."
                    : "an identifier has a dot. Write \(host.app).\(identifier) here; jobs.yaml may call it \(identifier)."
            )
        }
        state.withLock { $0.handlers[identifier] = handler }
        if let warning = handler.warning(about: identifier) { log(warning, level: .warning) }
        return true
    }

    private func refuse(_ identifier: String, _ reason: String) -> Bool {
        log("No handler for \(identifier) was registered: \(reason)", level: .error)
        return false
    }

    /// Asks for a launch; see `BGTaskScheduler.submit(_:)`.
    func submit(_ content: RequestContent, from place: String?) throws {
        typealias Error = BGTaskScheduler.Error
        let identifier = content.identifier
        guard let host else { throw Error(.unavailable, identifier: identifier, reason: Self.noWorker) }
        guard !identifier.holdsNul else { throw Error(.notPermitted, identifier: identifier) }
        if handler(of: identifier) == nil, permits(identifier) {
            host.report(.notRegistered, subject: identifier, place: place)
        }
        let (status, reason) = host.submit(content)
        guard status != lull_status(LULL_OK) else { return }
        // A status from a newer host counts as unavailable, as the ABI says.
        let code = Error.Code(rawValue: Int(status)) ?? .unavailable
        throw Error(code, identifier: identifier, reason: reason)
    }

    /// The app has finished launching: only continued tasks are registered from here on, and what was launched
    /// until now begins.
    func finishLaunching() {
        let waiting = state.withLock { state in
            state.isLaunching = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for run in waiting { begin(run) }
    }

    func launch(_ launch: Launch) {
        let run = Run(launch, registry: self)
        let mayBegin = state.withLock { state in
            state.running[launch.task] = run
            if state.isLaunching { state.waiting.append(run) }
            return !state.isLaunching
        }
        host?.watchExpiration(of: launch.task, for: self)
        if mayBegin { begin(run) }
    }

    private func begin(_ run: Run) {
        let identifier = run.launch.identifier
        guard let handler = handler(of: identifier) else {
            run.log(
                "No handler is registered for \(identifier); the run is completed as failed. "
                    + "Register one in didFinishLaunching().",
                level: .error
            )
            return run.completeForAuthor()
        }
        handler.call(run)
    }

    func expire(_ task: lull_task) {
        state.withLock { $0.running[task] }?.expire()
    }

    /// Completes a run. The host is told each time, so that it can record a second completion as the plugin's fault.
    func complete(_ run: Run, success: Bool) {
        state.withLock { _ = $0.running.removeValue(forKey: run.launch.task) }
        // Saves the defaults that the run has set: the process may end from here on.
        lull_entry_save_defaults()
        host?.complete(run.launch.task, success: success)
    }

    /// Whether the run was launched and is not completed.
    func isRunning(_ task: lull_task) -> Bool {
        state.withLock { $0.running[task] != nil }
    }

    /// The run that is under way, if there is no other.
    var onlyRun: Run? {
        state.withLock { $0.running.count == 1 ? $0.running.values.first : nil }
    }

    func hasHandler(_ identifier: String) -> Bool { handler(of: identifier) != nil }

    /// The handler of the identifier itself, else that of the longest wildcard that it fits.
    private func handler(of identifier: String) -> LaunchHandler? {
        state.withLock { state in
            if let handler = state.handlers[identifier] { return handler }
            return state.handlers.filter { fits(identifier, $0.key) }.max { $0.key.count < $1.key.count }?
                .value
        }
    }

    private func permits(_ identifier: String) -> Bool {
        host?.permittedTasks.contains { $0 == identifier || fits(identifier, $0) } ?? false
    }

    func pendingRequests() -> [RequestContent] { host?.pendingRequests() ?? [] }

    func log(_ message: String, level: LullLogLevel, of launch: Launch? = nil) {
        guard let host else {
            return FileHandle.standardError.write(Data("\(level): \(message)\n".utf8))
        }
        guard let launch else { return host.log(message, level: level) }
        host.log(message, level: level, task: launch.task, identifier: launch.identifier)
    }
}

/// Whether `com.example.App.export.42` fits `com.example.App.export.*`.
private func fits(_ identifier: String, _ pattern: String) -> Bool {
    pattern.hasSuffix(".*") && identifier.hasPrefix(pattern.dropLast())
        && identifier.utf8.count >= pattern.utf8.count
}
