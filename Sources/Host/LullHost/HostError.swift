public import LullControl
public import LullHistory
public import LullSystem

/// Why a host can't begin or go on.
public enum HostError: Error, Sendable {
    case stateFolder(path: String, detail: String)
    /// Another user could have written its contents; `detail` and `fix` are clauses.
    case stateNotSafe(path: String, detail: String, fix: String)
    case manifest(path: String)
    case history(HistoryError)
    case loop(LoopError)
    case control(ControlError)
    case worker(path: String)
    case workerNotSafe(String)
    /// No thread can be made, and without one nothing can be recorded.
    case processes(String)

    /// The sentence, with what to do.
    public var message: String {
        switch self {
        case .stateFolder(let path, let detail):
            "Can't use the state folder \(path): \(detail). Name another with --state, or make it yourself."
        case .stateNotSafe(let path, let detail, let fix):
            "Can't trust the state folder \(path): \(detail). Look at what is in it, then \(fix); or name another with --state."
        case .manifest(let path):
            "\(path) has errors, so nothing was started. Fix the errors above and run again."
        case .history(let error): error.message + " " + error.fix
        case .loop(let error): error.message
        case .control(let error): error.message
        case .worker(let path):
            "There is no lull-worker at \(path). It belongs beside `lull`, or in ../libexec/lull; "
                + "name another with $LULL_WORKER."
        case .workerNotSafe(let sentence): sentence
        case .processes(let sentence):
            "Can't start: no thread can be made for the history. Apparently \(sentence)"
        }
    }

    /// Whether the state is gone or damaged under a running host; a new start may recover.
    public var isStateLost: Bool {
        if case .history(let error) = self { error.isStateLost } else { false }
    }

    /// Whether another host or command has the state: come back later.
    public var isHeld: Bool {
        if case .history(.held) = self { true } else { false }
    }
}
