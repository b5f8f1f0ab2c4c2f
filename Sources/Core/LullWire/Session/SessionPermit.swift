public import LullModel

/// An identifier that an app may register, with its settings as JSON.
public struct SessionPermit: Sendable, Equatable {
    public var task: TaskIdentifier
    public var kind: Kind
    public var settings: String
    /// Whether a run of it is not held to the app's share of the processor.
    public var isFreeOfCPULimit = false
    /// Whether what a run of it starts may go on when it has ended.
    public var leavesRunning = false

    public init(task: TaskIdentifier, kind: Kind, settings: String) {
        self.task = task
        self.kind = kind
        self.settings = settings
    }
}
