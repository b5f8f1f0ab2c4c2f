/// What an operator can do with a transfer.
public enum TransferOrdering: String, Sendable, Codable, CaseIterable { case pause, resume, cancel }

/// A transfer for people: how far it is, why it waits, and when it will likely be done.
public struct TransferReport: Sendable, Hashable, Codable {
    public var state: TransferState
    /// Why it is not under way, a sentence each.
    public var reasons: [String]
    /// When that may change by itself; nil: not by time alone.
    public var until: WallTime?
    /// Bytes a second, since this attempt began.
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

    /// Without what is the app's alone.
    public var withoutSecrets: TransferReport {
        var report = self
        report.state = state.withoutSecrets
        return report
    }
}
