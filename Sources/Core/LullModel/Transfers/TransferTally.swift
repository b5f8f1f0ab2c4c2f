/// The number of an app's transfers in each state, for `lull status` and `/metrics`.
public struct TransferTally: Sendable, Hashable, Codable {
    public var waiting = 0
    public var active = 0
    /// Those for which the app has to answer a challenge.
    public var challenged = 0
    public var paused = 0
    /// Those that have ended without a notification of the app yet.
    public var over = 0
    /// Those that the app has been told the end of, and of which a part stays that another transfer may resume.
    public var parts = 0

    public init() {}

    public init(_ phases: some Sequence<TransferState.Phase>) {
        for phase in phases {
            switch phase {
            case .waiting: waiting += 1
            case .active: active += 1
            case .challenged: challenged += 1
            case .paused: paused += 1
            case .finished, .failed, .cancelled: over += 1
            }
        }
    }

    /// The counts with their names in `/metrics`.
    public var phases: [(String, Int)] {
        [
            ("waiting", waiting), ("active", active), ("challenged", challenged), ("paused", paused),
            ("over", over),
        ]
    }

    /// "transfers: 2 run, 3 wait"; nil: none is worth a mention.
    public var words: String? {
        func part(_ count: Int, _ one: String, _ many: String) -> String? {
            count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
        }
        let parts = [
            part(active, "runs", "run"), part(waiting, "waits", "wait"),
            part(challenged, "asks the app", "ask the app"), part(paused, "is paused", "are paused"),
            part(parts, "left a part to resume", "left parts to resume"),
        ].compactMap(\.self)
        return parts.isEmpty ? nil : "transfers: " + parts.joined(separator: ", ")
    }
}
