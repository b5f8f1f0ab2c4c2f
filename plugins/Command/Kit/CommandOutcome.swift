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
    /// What its settings call success.
    var success: Set<Int32> = [0]

    /// One sentence for the log.
    public var message: String {
        var sentence =
            switch ending {
            case .signaled(let signal): "the command was ended by \(Self.name(ofSignal: signal))"
            case .exited(let code) where isSuccess || isCancelled: "the command exited with code \(code)"
            case .exited(let code): failure(code)
            }
        if isCancelled { sentence += ", because the task expired" }
        if leftBehind > 0 {
            sentence += "; \(leftBehind) of its processes were still running and were killed"
        }
        return sentence + "."
    }

    /// What it printed says why; `success` is named where somebody has set it.
    private func failure(_ code: Int32) -> String {
        if runsInShell, code == 127 { return "the shell did not find a program (exit code 127)" }
        if runsInShell, code == 126 { return "the shell could not execute a program (exit code 126)" }
        let listed = success.sorted().map(String.init).joined(separator: ", ")
        let others = success == [0] ? "" : "; `success` takes \(listed)"
        return "the command failed with exit code \(code)" + others
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
