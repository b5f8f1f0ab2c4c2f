import LullModel

/// A task whose last runs were ended by their time limit: begun again as it is, it will end so again.
struct LimitMet {
    /// So many of its last runs, in a row.
    let count: Int
    let limit: Duration
    private let definition: TaskDefinition
    private let place: String

    /// The longest that `repeat` holds it back: slow for once is not slow for ever.
    static let longest: Duration = .days(1)

    /// Nil where none was, or where it may take longer by now.
    init?(_ record: TaskRecord?, _ definition: TaskDefinition?, kind: Kind, manifestPath: String) {
        guard let count = record?.overLimit, count > 0, let limit = record?.limit, let definition,
            let allowed = definition.timeLimit(of: kind), allowed.milliseconds <= limit
        else { return nil }
        self.count = count
        self.limit = .milliseconds(limit)
        self.definition = definition
        place = "\(definition.file ?? manifestPath):\(definition.line)"
    }

    /// When it is begun again: at its next time by `repeat`, at the latest a day after it failed.
    func until(_ launched: WallTime?, failedAt: WallTime) -> WallTime? {
        guard let gap = definition.repeat, let launched else { return nil }
        return min(launched + gap, failedAt + Self.longest)
    }

    /// As a clause.
    var sentence: String {
        let runs = count == 1 ? "its last run was ended by its" : "its last \(count) runs were ended by their"
        return "\(runs) \(isDefault ? "default " : "")time limit of \(Phrase.span(limit))"
    }

    var warning: String {
        "\(sentence), and the next will be unless it is quicker: \(remedy)"
    }

    var remedy: String { "\(isDefault ? "write a longer" : "raise") `time_limit` at \(place)" }

    private var isDefault: Bool {
        TaskDefinition(identifier: definition.identifier, app: definition.app, kind: definition.kind)
            .timeLimit
            == limit
    }
}
