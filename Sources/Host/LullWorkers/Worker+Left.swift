import LullModel
import LullWire

/// Processes that a run has started and left running when it completes: a daemon, a job in the background.
///
/// They end with the run's worker, and are named; with `leaves: running` the worker waits for them instead. Their run
/// is known only where each run has a worker of its own.
extension Worker {
    /// All living processes that the worker has started.
    private var left: [ProcessTable.Entry] {
        let worker = process.worker
        return ProcessTable.descendants(of: process.supervisor).filter { $0.pid != worker && !$0.isZombie }
    }

    func nameLeft(by run: RunID) {
        guard session.runsAlone else { return }
        let left = left
        guard !left.isEmpty else { return }
        let names = Self.names(of: left)
        pool.emit(
            .leftRunning(
                run,
                sentence: leavesRunning
                    ? "It left \(names) running (`leaves: running`)."
                    : "It left \(names) running, which ended with it; `leaves: running` in jobs.yaml lets that go on."
            ),
            of: id)
    }

    static func names(of members: [ProcessTable.Entry]) -> String {
        let shown = members.prefix(mostNamed).map { "\($0.name) (process \($0.pid))" }
        let more = members.count - shown.count
        return Phrase.list(shown + (more > 0 ? ["\(more) more"] : []))
    }

    /// Whether the worker waits for what is left, which is looked at again now and then. A call while it waits ends the wait.
    func waitsForLeft() -> Bool {
        hasLeft = leavesRunning && !pool.isClosing && deadlines[.evict] == nil && !left.isEmpty
        if hasLeft { setDeadline(.evict, after: pool.measureRarely) }
        return hasLeft
    }

    /// Processes that it may leave running keep it from being suspended.
    var leftObstacle: String? {
        leavesRunning && !left.isEmpty ? "processes that a run left behind go on" : nil
    }

    private static let mostNamed = 5
}

extension ProcessTable.Entry {
    /// The name that the kernel has, of at most 15 bytes.
    var name: String {
        let bytes = ProcessTable.contents(of: "/proc/\(pid)/comm", atMost: 64) ?? []
        let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return name.isEmpty ? "a process" : name.terminalSafe
    }
}
