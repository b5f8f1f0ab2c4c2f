import LullWire

/// A task that the app may register, or a wildcard that permits many.
struct PermittedTask: Sendable {
    let kind: WireKind
    let settings: CText
}

/// The plugin's function that is called when a run expires.
struct ExpirationHandler: Sendable {
    let function: @convention(c) @Sendable (UnsafeMutableRawPointer?, UInt64) -> Void
    let context: PluginContext
}

/// The runs under way in this process, by the number that plugin and host use.
///
/// Numbers of runs that have ended are remembered for a while, to tell a repeated call from an invented one.
struct RunTable {
    struct Run {
        let task: PermittedTask
        var isExpired = false
        var handler: ExpirationHandler?
        var heldProgress: WorkerFrame?
        var progressSent: Int64 = 0
    }
    enum End { case ended(heldProgress: WorkerFrame?), repeated, unknown }
    enum Expiration { case call(ExpirationHandler), completeFailed, nothing }

    private var open: [UInt64: Run] = [:]
    private var ended = [UInt64](repeating: 0, count: 256)
    private var nextEnded = 0

    var isEmpty: Bool { open.isEmpty }

    func task(of run: UInt64) -> PermittedTask? { open[run]?.task }

    func hasEnded(_ run: UInt64) -> Bool { run != 0 && ended.contains(run) }

    mutating func begin(_ run: UInt64, _ task: PermittedTask) {
        open[run] = Run(task: task)
    }

    mutating func end(_ run: UInt64) -> End {
        guard let ending = open.removeValue(forKey: run) else { return hasEnded(run) ? .repeated : .unknown }
        ended[nextEnded] = run
        nextEnded = (nextEnded + 1) % ended.count
        return .ended(heldProgress: ending.heldProgress)
    }

    /// The handler is taken: it is called at most once. A run without one is over.
    mutating func expire(_ run: UInt64) -> Expiration {
        guard let expiring = open[run], !expiring.isExpired else { return .nothing }
        open[run]?.isExpired = true
        open[run]?.handler = nil
        return expiring.handler.map { .call($0) } ?? .completeFailed
    }

    mutating func setHandler(_ handler: ExpirationHandler?, of run: UInt64) {
        guard open[run]?.isExpired == false else { return }
        open[run]?.handler = handler
    }

    /// Whether to send this progress now. Else it is held, and goes out with the run's end at the latest.
    mutating func progress(of run: UInt64, _ frame: WorkerFrame, now: Int64) -> Bool {
        guard let known = open[run] else { return false }
        let isDue = now - known.progressSent >= 50_000_000
        open[run]?.heldProgress = isDue ? nil : frame
        if isDue { open[run]?.progressSent = now }
        return isDue
    }
}
