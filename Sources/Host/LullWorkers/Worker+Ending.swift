private import CLullShims
private import Glibc
import LullModel
import LullWire

/// The worker's end: what it left behind is killed, its last output is read, and only then is the end reported.
extension Worker {
    /// The supervisor has ended, after its worker and all processes of that.
    func ended() {
        guard let end = process.ending else { return }
        let ending = end.worker
        group?.kill()
        if end.hasLeft {
            process.disown()
            pool.sweep()
        }
        if end.forkFault == EAGAIN { pool.lookForShortage() }
        var reason = session.reason
        if reason == nil, ending == .signal(SIGKILL), group?.ranOutOfMemory == true {
            reason =
                "killed by the kernel: it used more memory than the \(spec.confinement.memory >> 20) MiB that it may "
                + "(`limits: { memory }`)"
        }
        // Killed neither by this host nor for the app's own limit.
        let isLost = reason == nil && ending == .signal(SIGKILL)
        reason = reason ?? end.reason
        defer { group?.remove() }
        let wasStarting = session.isStarting
        // Nothing more is sent, and the limits on listening end with the process.
        deadlines = [:]
        readLastFrames()
        drainOutput(atMost: 1 << 20)
        if ending == .status(Wire.closedSocketStatus), reason == nil {
            pool.emit(.violation(nil, sentence: "It closed its socket to the host.", isFatal: true), of: id)
        }
        for run in meters.keys.sorted() { endMeter(of: RunID(run)) }
        closeAll()
        process.bury()
        for line in startOutput.lines {
            pool.emit(.log(nil, reason == nil ? .error : .notice, message: line), of: id)
        }
        if end.isOverdue { pool.emit(.overdue, of: id) }
        let outcome = session.outcome(
            reason: reason, wasStarting: wasStarting, isLost: isLost,
            otherwise: ending.sentence + circumstances(ending, wasStarting))
        pool.ended(self, outcome)
    }

    private func circumstances(_ ending: Ending, _ wasStarting: Bool) -> String {
        let isSignal = if case .signal(let number) = ending { number != SIGKILL } else { false }
        // The last output of an idle worker may be old, and not the cause.
        guard wasStarting || !session.runs.isEmpty || isSignal || ending != .status(0) else { return "" }
        let trap =
            MainActorTrap(lastLine)?.sentence ?? QueueTrap(lastLine)?.sentence ?? CastTrap(lastLine)?.sentence
            ?? MainActorTrap.guess(ending, sdk: session.sdk, lastLine)
        // The printed lines come last: they are left out for some readers.
        return PrintedLast(
            sentence: (wasStarting ? " while it started" : "")
                + [trap, ending == .signal(SIGPIPE) ? Self.brokenPipe : nil, isSignal ? overwriting : nil]
                .compactMap { $0 }.map { ". " + $0 }.joined(),
            lines: lastLine.quoted
        ).reason
    }

    private static let brokenPipe =
        "It wrote to a pipe or socket whose reader is gone, and in a worker SIGPIPE ends the process. Ignore it in "
        + "`start` with signal(SIGPIPE, SIG_IGN), as the main programs of Rust and Go do, or send with MSG_NOSIGNAL"

    /// Nil: its files are what they were when it mapped them.
    private var overwriting: String? {
        guard let path = spec.files.overwritten.first else { return nil }
        return
            "'\(path)' was written in place while it was loaded, so its code changed while it ran. Put a new file in its "
            + "place, with `install` or `mv`"
    }

    private func readLastFrames() {
        var rounds = 0
        while speaks, rounds < 64 {
            deadlines = [:]
            readFrames(atMost: 64)
            rounds += 1
        }
    }

    func closeAll() {
        closeSocket()
        closeOutput(.output)
        closeOutput(.error)
        loop.forget(process.pidfd)
    }
}
