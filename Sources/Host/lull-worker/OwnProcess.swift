import Glibc
import LullWire

/// Tells this process from those that a plugin forks.
///
/// A forked child has the worker's memory and its socket. Only the worker may speak with the host: in a child host
/// functions do nothing, and a child that returns from a call of the worker's is ended, for it would read the worker's
/// frames. Each is reported once.
enum OwnProcess {
    private static let number = getpid()
    // Not safe from other threads, of which a forked child has none at first; at worst it is reported twice.
    nonisolated(unsafe) private static var hasReported = false

    /// Called before the plugin is loaded.
    static func adopt() { _ = number }

    static var isForked: Bool { getpid() != number }

    /// The most memory in bytes that one of its ended children has had; 0: none has ended.
    static var childPeak: UInt64 {
        var used = rusage()
        guard getrusage(RUSAGE_CHILDREN.rawValue, &used) == 0 else { return 0 }
        return UInt64(max(0, used.ru_maxrss)) << 10
    }

    /// `did`: what the child did, as the end of a sentence's first clause.
    static func report(_ run: UInt64, _ did: String) {
        guard !hasReported else { return }
        hasReported = true
        ControlSocket.sendFromChild(
            .violation(
                run: run, identifier: "",
                sentence: "A process that it forked \(did). Let a child run another program or end it with "
                    + "_exit, and let only the launched process talk to the host.", isFatal: false))
    }

    /// Called where a call into the plugin has returned.
    static func endIfForked(_ run: UInt64, _ call: String) {
        guard isForked else { return }
        report(run, "returned from \(call), which only the worker may do, and was ended")
        _exit(0)
    }
}
