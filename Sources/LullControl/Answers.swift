public import LullModel

/// Carried out; a sentence for people.
public struct Said: Sendable, Equatable, Codable {
    public var sentence: String
    public init(_ sentence: String) { self.sentence = sentence }
}

/// How a run ended.
public struct EndedRun: Sendable, Equatable, Codable {
    public var run: RunID
    public var outcome: Outcome
    public var reason: String?
    /// Nil where only the history has it.
    public var printed: PrintedByRun?
    /// What becomes of the task's own next time; a sentence.
    public var next: String?

    public init(
        _ run: RunID, _ outcome: Outcome, reason: String?, printed: PrintedByRun? = nil, next: String? = nil
    ) {
        (self.run, self.outcome, self.reason) = (run, outcome, reason)
        (self.printed, self.next) = (printed, next)
    }
}

/// How many events of an import were new to the history, and how many not.
public struct ImportedEvents: Sendable, Equatable, Codable {
    public var added: Int
    public var known: Int
    public init(added: Int, known: Int) { (self.added, self.known) = (added, known) }
}

/// What the apps and tasks of a host are called.
public struct TakenNames: Sendable, Equatable, Codable {
    public var tasks: [TaskIdentifier]
    public var apps: [AppIdentifier]
    public init(tasks: [TaskIdentifier], apps: [AppIdentifier]) { (self.tasks, self.apps) = (tasks, apps) }
}
