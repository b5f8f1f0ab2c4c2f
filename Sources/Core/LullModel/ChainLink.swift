/// A link of a chain: the preceding task, and how its run has to end.
public struct ChainLink: Sendable, Hashable, Codable {
    public let task: TaskIdentifier
    public let outcome: ChainOutcome

    public init(task: TaskIdentifier, outcome: ChainOutcome) {
        (self.task, self.outcome) = (task, outcome)
    }

    /// The text after "waits for".
    package var phrase: String {
        switch outcome {
        case .success: "\(task) to succeed"
        case .failure: "\(task) to fail"
        case .any: "\(task) to end"
        }
    }
}

/// Where a chain broke: the run whose outcome kept a later task from being requested.
public struct ChainBreak: Sendable, Equatable, Codable {
    public let task: TaskIdentifier
    public let outcome: Outcome
    public let ended: WallTime

    public init(task: TaskIdentifier, outcome: Outcome, ended: WallTime) {
        (self.task, self.outcome, self.ended) = (task, outcome, ended)
    }
}

extension Outcome {
    /// The outcome of a run, as a verb.
    public var deed: String {
        switch self {
        case .succeeded: "succeeded"
        case .failed: "failed"
        case .expired: "expired"
        case .killed: "was killed"
        case .crashed: "crashed"
        case .unloadable: "could not be loaded"
        case .stopped: "was stopped"
        case .interrupted: "was cut off"
        }
    }
}
