public import LullModel

/// An identifier that an app may register, with its settings as JSON.
public struct SessionPermit: Sendable, Equatable {
    public var task: TaskIdentifier
    public var kind: Kind
    public var settings: String
    /// Whether the app's limit of processor time does not apply while it runs.
    public var isFreeOfCPULimit = false
    /// Whether processes that a run of it starts may go on after its end.
    public var leavesRunning = false
    /// What a run of it may use, and how urgent it is, if it is alone in its worker.
    public var limits: RunLimits?
    public var nice = 0
    public var ionice = IOUrgency.normal

    public init(task: TaskIdentifier, kind: Kind, settings: String) {
        self.task = task
        self.kind = kind
        self.settings = settings
    }
}
