import LullModel
import LullScheduler

/// What one event led to, as it was decided: its records go to the log, and the rest happens once they are durable.
struct Frame: Sendable {
    /// What the event was, as far as the invariants have to know.
    struct About: Sendable {
        /// Whose submit was withdrawn.
        var withdrawn: Token?
        /// An operator submits or cancels, and what `repeat` and `at` ask for is to stay as it is.
        var isByHand = false
        /// Before the manifest of a host's start, which is in force by then, is decided on.
        var isStarting = false
        /// The last of a host's start: what was missed is durable with it.
        var isBoot = false
        /// The host had been told to end before.
        var isShuttingDown = false
        /// Who has cancelled, and waits.
        var cancelled: Cancel?
        /// What the host has seen that `on` of some tasks names.
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
    /// What the scheduler had been told of the host's conditions.
    var conditions: Conditions
    /// The one in force.
    var manifest: Manifest
    /// What the scheduler had been told of what apps keep.
    var folders: [AppIdentifier: FolderUse] = [:]
    var about: About

    /// Launched by an operator, past the gates that are policy; and who waits for that.
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

/// How a host is cut off without a word.
enum Crash: Sendable, Equatable {
    /// After so many effects of the next event that has more.
    case amidEffects(after: Int, down: Duration)
    /// During the next write; it may have become durable, and nobody was told.
    case amidWrite(isDurable: Bool, down: Duration)
}
