import CLullShims
import Glibc
import LullModel
import LullWire
import Synchronization

/// All that this process knows: one app, its permitted tasks, and the runs under way.
///
/// No lock is held while the plugin is called.
final class Session: Sendable {
    let app: CText
    let stateFolder: CText
    let settings: CText
    let permitted: [String: PermittedTask]
    let inbox = Inbox()
    let calls = Calls()
    let runs = Mutex(RunTable())

    private struct Registry {
        var claimed: Set<String> = []
        var isOpen = true
    }
    private let registry = Mutex(Registry())

    init(app: String, stateFolder: String, settings: [UInt8], permitted: [String: PermittedTask]) {
        self.app = CText(app)
        self.stateFolder = CText(stateFolder)
        self.settings = CText(settings)
        self.permitted = permitted
    }

    /// Claims an identifier; only inside of `start`, only what is permitted, and only once.
    func register(_ identifier: String) -> Bool {
        let isNew = registry.withLock { registry in
            registry.isOpen && permitted[identifier] != nil && registry.claimed.insert(identifier).inserted
        }
        if isNew { ControlSocket.send(.registered(identifier: identifier)) }
        if permitted[identifier] == nil { log(0, .warning, RefusedRegistration.line(identifier)) }
        return isNew
    }

    func closeRegistry() { registry.withLock { $0.isOpen = false } }

    func handles(_ identifier: String) -> Bool { registry.withLock { $0.claimed.contains(identifier) } }

    /// Ends a run. The first call counts.
    func complete(_ run: UInt64, success: Bool) {
        switch runs.withLock({ $0.end(run) }) {
        case .ended(let progress):
            // What the handler has printed is to reach the host before the end of its run does.
            lull_flush_output()
            if let progress { ControlSocket.send(progress, mustArrive: false) }
            ControlSocket.send(.completed(run: run, success: success))
        case .repeated:
            violate(
                run,
                "It completed a run that has ended. Only the first call counts: complete each launch once.")
        case .unknown:
            violate(
                0, "It completed task \(run), which was never launched. Use the number that launch was given."
            )
        }
    }

    func violate(_ run: UInt64, _ sentence: String) {
        ControlSocket.send(.violation(run: run, sentence: sentence))
    }

    func log(_ run: UInt64, _ level: LogLevel, _ message: String) {
        ControlSocket.send(.log(run: run, level: level, message: message), mustArrive: false)
    }

    /// Sends a frame and waits for its answer, no longer than the contract says.
    func ask(_ frame: (UInt64) -> WorkerFrame) -> (sequence: UInt64, answer: Calls.Answer?) {
        guard let call = calls.begin() else { return (0, nil) }
        let deadline = monotonicNanoseconds() + Limits.submitWait.nanoseconds
        guard ControlSocket.send(frame(call.sequence), mustArrive: false) else {
            return (0, calls.end(call))
        }
        if inbox.isOnItsThread {
            inbox.pump(self, until: deadline) { call.answer != nil }
        } else {
            call.wait(until: deadline)
        }
        return (call.sequence, calls.end(call))
    }
}
