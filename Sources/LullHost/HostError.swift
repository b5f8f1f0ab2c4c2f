public import LullControl
public import LullHistory
public import LullLoop

/// Why a host can't begin or go on.
public enum HostError: Error, Sendable {
    case stateFolder(path: String, detail: String)
    case manifest(path: String)
    case history(HistoryError)
    case loop(LoopError)
    case control(ControlError)
    case worker(path: String)

    /// The sentence, with what to do.
    public var message: String {
        switch self {
        case .stateFolder(let path, let detail):
            "Can't use the state folder \(path): \(detail). Name another with --state, or make it yourself."
        case .manifest(let path):
            "\(path) has errors, so nothing was started. Mend what stands above and run again."
        case .history(let error): error.message + " " + error.fix
        case .loop(let error): error.message
        case .control(let error): error.message
        case .worker(let path):
            "There is no lull-worker at \(path). It belongs beside `lull`, or in ../libexec/lull; "
                + "name another with $LULL_WORKER."
        }
    }

    /// Whether the state is gone or damaged under a running host; a new start may get on.
    public var isStateLost: Bool {
        switch self {
        case .history(.vanished), .history(.damaged): true
        default: false
        }
    }

    /// Whether another host or command has the state: come back later.
    public var isHeld: Bool {
        if case .history(.held) = self { true } else { false }
    }
}
