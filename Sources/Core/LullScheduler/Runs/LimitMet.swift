import LullModel

/// A task whose last runs were ended by their time limit: run again unchanged, it will end the same way.
struct LimitMet: Sendable, Equatable {
    /// How many of its last runs in a row the limit ended.
    let count: Int
    let limit: Duration
    /// The limit is the default.
    let isDefault: Bool
    /// The task's file and line in the manifest.
    let place: String
    private let gap: Duration?

    /// The longest that `repeat` holds it back: slow for once is not slow for ever.
    static let longest: Duration = .days(1)

    /// Nil: the limit ended no run, or a longer one is in force now.
    init?(_ record: TaskRecord?, _ definition: TaskDefinition?, kind: Kind, manifestPath: String) {
        guard let count = record?.overLimit, count > 0, let limit = record?.limit, let definition,
            let allowed = definition.timeLimit(of: kind), allowed.milliseconds <= limit
        else { return nil }
        self.count = count
        self.limit = .milliseconds(limit)
        let usual = TaskDefinition(
            identifier: definition.identifier, app: definition.app, kind: definition.kind)
        isDefault = usual.timeLimit == self.limit
        gap = definition.repeat
        place = "\(definition.file ?? manifestPath):\(definition.line)"
    }

    /// When it is begun again: at its next time by `repeat`, at the latest a day after it failed.
    func until(_ launched: WallTime?, failedAt: WallTime) -> WallTime? {
        guard let gap, let launched else { return nil }
        return min(launched + gap, failedAt + Self.longest)
    }
}
