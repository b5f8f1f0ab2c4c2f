import LullModel
import LullWire

/// What a run has started and not ended when it completes: a daemon, a job in the background.
///
/// It ends with the run's worker, and is named; where the manifest says `leaves: running` the worker waits for it instead.
/// Whose it is can be told where each run has a worker of its own.
extension Worker {
    /// All that the worker has started, and that has not ended.
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

    /// Looked at again now and then, as its limits are; a second call ends it.
    func waitsForLeft() -> Bool {
        hasLeft = leavesRunning && !pool.isClosing && deadlines[.evict] == nil && !left.isEmpty
        if hasLeft { setDeadline(.evict, after: pool.measureRarely) }
        return hasLeft
    }

    /// What it may leave running is not stopped either.
    var leftObstacle: String? {
        leavesRunning && !left.isEmpty ? "what a run has left running is to go on" : nil
    }

    private static let mostNamed = 5
}

extension ProcessTable.Entry {
    /// As the kernel has it, 15 bytes of it.
    var name: String {
        let bytes = ProcessTable.contents(of: "/proc/\(pid)/comm", atMost: 64) ?? []
        let name = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return name.isEmpty ? "a process" : name.terminalSafe
    }
}
