import LullModel

/// A task while its keys are read.
struct TaskDraft {
    var inherited: Inherited
    /// The app and the identifier of the task; nil if not known.
    var app: AppIdentifier?
    var identifier: TaskIdentifier?
    var kind: Kind?
    /// Whether it runs a command line, which should run to its end.
    var isCommand = false
    var `repeat`: Duration?
    var at: ExactTimes?
    var on: [Trigger] = []
    var settings = JSONValue.object([:])
    var params: [TaskParam]?
    var limits: RunLimits?
    var description: String?
    var isEnabled = true
    var concurrency = 1
    var fleetConcurrency: Int?
    var expect: Expectation?
    var heartbeat: Heartbeat?

    // The places of the values that `check` compares.
    var kindNode: Document.NodeID?
    var repeatNode: Document.NodeID?
    var limitNode: Document.NodeID?
    var atNode: Document.NodeID?
    var onNode: Document.NodeID?
    var settingsNode: Document.NodeID?
    var expectNode: Document.NodeID?
    var latestNode: Document.NodeID?
    var retryNode: Document.NodeID?
    var daysNode: Document.NodeID?
    /// The task's own keys for how its times are kept.
    var ofTimes: [ManifestDecoder.Entry] = []
    /// The task's own keys for how its refreshes are planned.
    var ofRefresh: [ManifestDecoder.Entry] = []
    /// The task's own keys for the fleet.
    var ofFleet: [ManifestDecoder.Entry] = []

    func timeLimit(of kind: Kind) -> Duration? {
        if let limit = inherited.timeLimit { return limit }
        switch kind {
        case .refresh: return .seconds(30)
        case .processing: return isCommand ? .days(1) : .minutes(10)
        case .continued: return nil
        case .push, .transfers: return .seconds(30)
        }
    }

    func fill(_ task: inout TaskDefinition) {
        task.repeat = self.repeat
        task.at = at
        task.on = on
        task.concurrency = concurrency
        for key in InheritedKey.ofTasks { key.give(self, &task) }
        task.expect = expect
        task.heartbeat = heartbeat
        task.settings = settings
        task.params = params
        task.limits = limits
        task.description = description
        task.enabled = isEnabled
    }
}
