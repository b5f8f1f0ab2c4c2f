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
    private let output = Mutex<[UInt64: OutputFlow]>([:])
    let activities = Activities()
    let power: PowerMode
    let transferWatch = TransferWatch()

    private struct Registry {
        var claimed: Set<String> = []
        var isOpen = true
    }
    private let registry = Mutex(Registry())
    /// The minor version that the plugin's entry was built with.
    let pluginMinor = Mutex<UInt16>(0)

    init(
        app: String, stateFolder: String, settings: [UInt8], permitted: [String: PermittedTask],
        isLowPower: Bool
    ) {
        self.app = CText(app)
        self.stateFolder = CText(stateFolder)
        self.settings = CText(settings)
        self.permitted = permitted
        power = PowerMode(isLow: isLowPower)
    }

    /// The manifest's task for an identifier, by its own name or else by the nearest wildcard that it fits.
    func permit(for identifier: String) -> PermittedTask? {
        if let task = permitted[identifier] { return task }
        return TaskIdentifier(identifier)?.wildcards.lazy.compactMap { self.permitted[$0.text] }.first
    }

    /// Claims an identifier: only what is permitted, only once, and only inside of `start` unless it is continued.
    func register(_ identifier: String) -> Bool {
        guard let task = permit(for: identifier) else {
            log(0, .warning, RefusedRegistration.line(identifier, of: String(cString: app.pointer)))
            return false
        }
        // A plugin of such a version could not read the push, or ask for its transfers.
        let minor = pluginMinor.withLock { $0 }
        if task.kind == .push, minor < 2 {
            log(0, .warning, RefusedRegistration.tooOld(identifier, minor: Int(minor)))
            return false
        }
        if task.kind == .transfers, minor < 3 {
            log(0, .warning, RefusedRegistration.tooOldForTransfers(identifier, minor: Int(minor)))
            return false
        }
        enum Claim { case new, taken, late }
        let claim = registry.withLock { registry -> Claim in
            if registry.claimed.contains(identifier) { return .taken }
            guard registry.isOpen || task.kind == .continued else { return .late }
            registry.claimed.insert(identifier)
            return .new
        }
        switch claim {
        case .new: ControlSocket.send(.registered(identifier: identifier))
        case .taken:
            violate(
                0, identifier,
                "It registered \(identifier) twice. The first handler stays: register each identifier once.")
        case .late:
            violate(
                0, identifier,
                "It registered \(identifier) after its start had returned. Register it before.")
        }
        return claim == .new
    }

    var isStarting: Bool { registry.withLock { $0.isOpen } }

    /// `start` has returned: what keeps the app awake from now on is its runs and its activities.
    func didStart() {
        registry.withLock { $0.isOpen = false }
        activities.rest(from: monotonicNanoseconds())
    }

    func handles(_ identifier: String) -> Bool {
        registry.withLock { registry in
            registry.claimed.contains(identifier)
                || TaskIdentifier(identifier)?.wildcards.contains { registry.claimed.contains($0.text) }
                    == true
        }
    }

    func begin(_ run: UInt64, _ task: PermittedTask) {
        runs.withLock { runs in
            runs.begin(run, task)
            activities.wake()
        }
    }

    /// Ends a run. The first call counts.
    func complete(_ run: UInt64, success: Bool) {
        switch runs.withLock({ $0.end(run) }) {
        case .ended(let progress):
            // The handler's output has to reach the host before the end of its run does.
            lull_flush_output()
            if let progress { ControlSocket.send(progress, mustArrive: false) }
            output.withLock { $0.removeValue(forKey: run) }.map(Self.release)
            ControlSocket.send(.completed(run: run, success: success, childPeak: OwnProcess.childPeak))
            // Under the lock: a run that begins on the control thread meanwhile keeps the app awake.
            runs.withLock { if $0.isEmpty { activities.rest(from: monotonicNanoseconds()) } }
        case .repeated:
            violate(
                run, "",
                "It completed a run that has ended. Only the first call counts: complete each launch once.")
        case .unknown:
            violate(
                0, "",
                "It completed task \(run), which was never launched. Use the number that launch was given."
            )
        }
    }

    func violate(_ run: UInt64, _ identifier: String, _ sentence: String) {
        ControlSocket.send(
            .violation(run: run, identifier: identifier, sentence: sentence, isFatal: false))
    }

    /// Where iOS would end the app: this worker ends, and nothing else.
    func violateAndEnd(_ run: UInt64, _ identifier: String, _ sentence: String) -> Never {
        if isStarting {
            violate(run, identifier, sentence)
            refuse(.start, sentence)
        }
        lull_flush_output()
        ControlSocket.send(
            .violation(run: run, identifier: identifier, sentence: sentence, isFatal: true))
        while true { pause() }
    }

    func log(_ run: UInt64, _ level: LogLevel, _ message: String) {
        // After what the run has printed before it.
        if run != 0 { printOn(run) }
        ControlSocket.send(.log(run: run, level: level, message: message), mustArrive: false)
    }

    /// Sends what a run's children printed.
    func print(_ run: UInt64, _ stream: PrintedStream, _ bytes: UnsafeRawBufferPointer) {
        // The frames are sent under the lock, so that they keep their order.
        output.withLock { output in
            guard runs.withLock({ $0.task(of: run) }) != nil else { return }
            output[run, default: OutputFlow(run: run)].print(stream, bytes) { ControlSocket.send($0) }
        }
    }

    /// Sends the output of the run that is held back, when the host asks for it.
    func printOn(_ run: UInt64) {
        output.withLock { $0[run]?.release { ControlSocket.send($0) } }
    }

    /// Sends the held output of all runs, when the worker ends.
    func releaseOutput() {
        output.withLock { output in
            for run in output.keys { output[run]?.release { ControlSocket.send($0) } }
        }
    }

    private static func release(_ flow: OutputFlow) {
        var flow = flow
        flow.release { ControlSocket.send($0) }
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
