/// An action of an operator on a transfer.
public enum TransferOrdering: String, Sendable, Codable, CaseIterable { case pause, resume, cancel }

/// A transfer for people: its progress, why it waits, and when it will likely be done.
public struct TransferReport: Sendable, Hashable, Codable {
    public var state: TransferState
    /// The reasons why it is not under way, a sentence each.
    public var reasons: [String]
    /// When those may change by time alone; nil: they do not.
    public var until: WallTime?
    /// Bytes a second since the attempt began; nil: not known.
    public var rate: Double?
    public var likelyDone: WallTime?

    public init(
        state: TransferState, reasons: [String] = [], until: WallTime? = nil, rate: Double? = nil,
        likelyDone: WallTime? = nil
    ) {
        self.state = state
        self.reasons = reasons
        self.until = until
        self.rate = rate
        self.likelyDone = likelyDone
    }

    /// A copy without the data that only the app may see.
    public var withoutSecrets: TransferReport {
        var report = self
        report.state = state.withoutSecrets
        return report
    }
}
