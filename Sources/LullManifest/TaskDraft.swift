import LullModel

/// A task while its keys are read.
struct TaskDraft {
    var inherited: Inherited
    var kind: Kind?
    /// Whether it is a command line's, which is to run to its end.
    var isCommand = false
    var `repeat`: Duration?
    var at: ExactTimes?
    var settings = JSONValue.object([:])
    var description: String?
    var isEnabled = true
    var concurrency = 1
    var expect: Expectation?
    var heartbeat: Heartbeat?

    // Where what `check` compares was written.
    var kindNode: Document.NodeID?
    var repeatNode: Document.NodeID?
    var limitNode: Document.NodeID?
    var atNode: Document.NodeID?
    var expectNode: Document.NodeID?
    var latestNode: Document.NodeID?
    /// What it says itself of how its times are kept.
    var ofTimes: [ManifestDecoder.Entry] = []
    /// What it says itself of how its refreshes are planned.
    var ofRefresh: [ManifestDecoder.Entry] = []

    func timeLimit(of kind: Kind) -> Duration? {
        if let limit = inherited.timeLimit { return limit }
        switch kind {
        case .refresh: return .seconds(30)
        case .processing: return isCommand ? .days(1) : .minutes(10)
        case .continued: return nil
        }
    }

    func fill(_ task: inout TaskDefinition) {
        task.repeat = self.repeat
        task.at = at
        task.missed = inherited.missed
        task.spread = inherited.spread
        task.tolerance = inherited.tolerance
        task.requires = inherited.requires
        task.windows = inherited.windows
        task.quiet = inherited.quiet
        task.timezone = inherited.timezone
        task.timeLimit = timeLimit(of: task.kind)
        let limit = task.timeLimit ?? .days(1)
        task.warning = inherited.warning ?? min(.seconds(5), limit / 2)
        task.grace = inherited.grace
        task.concurrency = concurrency
        switch inherited.budget {
        case .launches(let perDay): task.budget = perDay
        case .fresh(let share, let within) where task.kind == .refresh:
            task.freshShare = share
            task.fresh = within
            task.objective = .hits
        case .fresh: break
        }
        task.objective = inherited.objective ?? task.objective
        task.minGap = inherited.minGap
        task.retry = inherited.retry
        task.latest = inherited.latest
        task.priority = inherited.priority
        task.nice = inherited.nice
        task.notify = inherited.notify
        task.expect = expect
        task.heartbeat = heartbeat
        task.settings = settings
        task.description = description
        task.enabled = isEnabled
    }
}
