public import LullModel

/// All that a restart must not lose: the fold of the history.
///
/// A checkpoint of the ledger plus the events since is the same ledger; the running host applies each event that it
/// records through the same function.
public struct Ledger: Sendable, Equatable, Codable {
    /// Of the checkpoint's format.
    public static let version = 1

    public init() {}

    public mutating func apply(_ event: HistoryEvent, zones: Zones) {}
}
