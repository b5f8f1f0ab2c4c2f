import LullModel
import LullScheduler

/// The effects of one event, as they were decided: its records go to the log, and the rest happens once they are durable.
struct Frame: Sendable {
    /// The facts about the event that the invariants need.
    struct About: Sendable {
        /// The caller whose submit was withdrawn.
        var withdrawn: Token?
        /// An operator submits or cancels: the requests of `repeat` and `at` are to stay as they are.
        var isByHand = false
        /// An event of a host's start, before its manifest is loaded; the manifest is in force by then.
        var isStarting = false
        /// The last of a host's start: what was missed is durable with it.
        var isBoot = false
        /// The host had been told to end before.
        var isShuttingDown = false
        /// The plugin's cancel that waits for its answer.
        var cancelled: Cancel?
        /// The trigger that the host has seen.
        var trigger: Trigger?
        /// The scheduler looks anew once it is done.
        var isImport = false
    }

    /// A plugin that has cancelled, in one of its app's workers, by the number of its call.
    struct Cancel: Sendable {
        var id: WorkerID
        var worker: Int
        var sequence: UInt64
    }

    var effects: [Effect] = []
    var now: Now
    var clock: VirtualClock
    /// The conditions of the host that the scheduler knew.
    var conditions: Conditions
    /// The one in force.
    var manifest: Manifest
    /// The use of apps' folders that the scheduler knew.
    var folders: [AppIdentifier: FolderUse] = [:]
    var about: About

    /// The runs that an operator launched past the gates of policy, and the callers that wait for that.
    var forced: [RunID: Token] {
        var forced: [RunID: Token] = [:]
        for case .reply(let token, .launched(let run, _)) in effects { forced[run] = token }
        return forced
    }
}

extension Effect {
    var record: HistoryEvent? {
        if case .record(let event) = self { event } else { nil }
    }
}

/// How a host crashes.
enum Crash: Sendable, Equatable {
    /// After so many effects of the next event that has more.
    case amidEffects(after: Int, down: Duration)
    /// During the next write: it may have become durable without an answer.
    case amidWrite(isDurable: Bool, down: Duration)
}
