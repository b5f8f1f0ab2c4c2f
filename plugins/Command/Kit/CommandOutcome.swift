import Glibc

/// How a command ended, and whether that is what its settings call success.
public struct CommandOutcome: Sendable, Equatable {
    public enum Ending: Sendable, Equatable {
        case exited(Int32)
        case signaled(Int32)
    }

    public var ending: Ending
    public var isSuccess: Bool
    /// Whether it was ended because the task's time was up.
    public var isCancelled: Bool
    /// How many processes it had left behind, which were killed with it.
    public var leftBehind: Int
    var runsInShell: Bool

    /// One sentence for the log.
    public var message: String {
        var sentence =
            switch ending {
            case .exited(let code): "the command exited with code \(code)"
            case .signaled(let signal): "the command was ended by \(Self.name(ofSignal: signal))"
            }
        if isCancelled {
            sentence += ", because the task expired"
        } else if case .exited(127) = ending, runsInShell {
            sentence += ": the shell did not find a program; its output names it"
        } else if case .exited(126) = ending, runsInShell {
            sentence += ": the shell could not execute a program; its output names it"
        } else if !isSuccess, case .exited = ending {
            sentence += ", which \"success\" does not list"
        }
        if leftBehind > 0 {
            sentence += "; \(leftBehind) of its processes were still running and were killed"
        }
        return sentence + "."
    }

    private static func name(ofSignal signal: Int32) -> String {
        let names = [
            SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
            SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1",
            SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM",
            SIGTERM: "SIGTERM",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
