internal import CLullShims
internal import Glibc

/// How a worker ended, and its keeper after it.
struct WorkerEnding: Equatable {
    let worker: Ending
    let keeper: Ending
    /// The errno of a keeper that could make no worker.
    let forkFault: Int32?
    /// That there was one.
    let hadWorker: Bool

    /// Whether processes of the app may be this process's children now.
    var hasLeft: Bool { keeper != .status(Int32(LULL_KEEPER_DONE)) && keeper != Self.overdue }

    /// Whether the keeper has ended it, for the time was up until which the host had let it run.
    var isOverdue: Bool {
        keeper == Self.overdue || keeper == .status(Int32(LULL_KEEPER_OVERDUE | LULL_KEEPER_LEFT))
    }
    private static let overdue = Ending.status(Int32(LULL_KEEPER_OVERDUE))

    /// Why, where the worker's own end does not tell.
    var reason: String? {
        if let forkFault {
            let cause =
                forkFault == EAGAIN ? ProcessShortage.sentence : String(cString: strerror(forkFault))
            return "it could not be made: \(cause)"
        }
        guard hadWorker, case .signal = keeper else { return nil }
        return "its keeper was \(keeper.sentence), and the host has ended what it kept"
    }
}
