import LullModel

/// The format's own words, by the numbers that stand for them in the rows.
///
/// The list is part of the file format: words are only added, at its end. It is also in the table `names`, for other programs
/// that read the database. Lull itself never reads it there, so damage to that table does no harm to it.
enum Words {
    /// Numbers from here on stand for the texts of one history.
    static let end: Int64 = 64

    static let all = [
        "used", "discovered", "submitted", "refused", "replaced", "merged", "cancelled", "deferred",
        "launched",
        "expired", "completed", "failed", "interrupted", "given_up", "idled", "revived", "enabled",
        "disabled",
        "violation", "paused", "resumed", "idle_soon", "absent", "conditions", "notice", "notified",
        "succeeded",
        "killed", "crashed", "unloadable", "refresh", "processing", "continued", "plugin", "repeat", "at",
        "operator", "due", "held", "delivered", "overdue", "idle", "recovered", "output",
        "watched", "happened", "event",
        "push", "reported", "restored", "http",
        "notification", "handed_on",
        "transfer", "transfers",
        "slot",
        "stopped", "reloaded",
    ]

    private static let numbers = Dictionary(
        uniqueKeysWithValues: all.enumerated().map { ($0.element, Int64($0.offset + 1)) })

    static func number(of word: String) -> Int64? { numbers[word] }

    /// Parsed once, because rows are read by the ten thousand.
    private static let events = all.map(HistoryEvent.Name.init(rawValue:))
    private static let outcomes = all.map(Outcome.init(rawValue:))

    static func event(_ number: Int64) -> HistoryEvent.Name? { pick(number, events) ?? nil }

    static func outcome(_ number: Int64) -> Outcome? { pick(number, outcomes) ?? nil }

    static func word(_ number: Int64) -> String? { pick(number, all) }

    private static func pick<Value>(_ number: Int64, _ values: [Value]) -> Value? {
        (1...Int64(values.count)).contains(number) ? values[Int(number) - 1] : nil
    }
}
