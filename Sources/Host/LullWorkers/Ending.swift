private import Glibc
import LullWire

/// How a process ended, as a sentence's predicate: "ended by signal 11 (SIGSEGV)".
enum Ending: Equatable {
    case signal(Int32)
    case status(Int32)

    /// From a status of `waitpid`.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal != 0 ? .signal(signal) : .status(waitStatus >> 8 & 0xff)
    }

    var sentence: String {
        switch self {
        case .signal(let number): "ended by signal \(number)" + (Self.names[number].map { " (\($0))" } ?? "")
        case .status(Wire.closedSocketStatus): "ended because it closed its socket to the host"
        case .status(let status): "exited on its own with status \(status)"
        }
    }

    private static let names: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGUSR1: "SIGUSR1",
        SIGSEGV: "SIGSEGV", SIGUSR2: "SIGUSR2", SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM",
        SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ", SIGSYS: "SIGSYS",
    ]
}
