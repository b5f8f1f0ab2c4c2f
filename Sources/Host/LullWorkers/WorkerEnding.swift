internal import CLullShims
internal import Glibc

/// How a worker ended, and its supervisor after it.
struct WorkerEnding: Equatable {
    let worker: Ending
    let supervisor: Ending
    /// The errno of a supervisor that could make no worker.
    let forkFault: Int32?
    /// Whether there was a worker.
    let hadWorker: Bool

    /// Whether processes of the app may be this process's children now.
    var hasLeft: Bool { supervisor != .status(Int32(LULL_SUPERVISOR_DONE)) && supervisor != Self.overdue }

    /// Whether the supervisor has ended it because the time that the host had set was up.
    var isOverdue: Bool {
        supervisor == Self.overdue
            || supervisor == .status(Int32(LULL_SUPERVISOR_OVERDUE | LULL_SUPERVISOR_LEFT))
    }
    private static let overdue = Ending.status(Int32(LULL_SUPERVISOR_OVERDUE))

    /// Why, where the worker's own end does not tell.
    var reason: String? {
        if let forkFault {
            let cause =
                forkFault == EAGAIN ? ProcessShortage.sentence : String(cString: strerror(forkFault))
            return "it could not be made: \(cause)"
        }
        guard hadWorker, case .signal = supervisor else { return nil }
        return "its supervisor was \(supervisor.sentence), and the host killed its processes"
    }
}
