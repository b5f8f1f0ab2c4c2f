/// The sort of work of a task; the manifest's kind is a ceiling for the kinds of requests.
public enum Kind: String, Sendable, Codable, CaseIterable {
    /// Short, before the app's predicted use.
    case refresh
    /// Heavy, when the host is idle.
    case processing
    /// Begun by a person and shown to them while it runs.
    case continued
    /// Begun by a message from outside. An app has one such task, made by its `push`.
    case push
    /// Notifies the app of the results of its transfers. An app has one such task, made by its `transfers`.
    case transfers

    /// Whether a key of the app defines the task, so that it has no entry under `tasks`.
    public var isMadeByApp: Bool {
        switch self {
        case .refresh, .processing, .continued: false
        case .push, .transfers: true
        }
    }

    /// Whether a request of this kind may be launched under a task of the kind `ceiling`.
    public func isPermitted(under ceiling: Kind) -> Bool {
        switch (self, ceiling) {
        case (.refresh, .refresh), (.refresh, .processing), (.processing, .processing),
            (.continued, .continued), (.push, .push), (.transfers, .transfers):
            true
        case (.processing, .refresh), (.continued, .refresh), (.continued, .processing),
            (.refresh, .continued),
            (.processing, .continued), (.push, _), (_, .push), (.transfers, _), (_, .transfers):
            false
        }
    }
}
