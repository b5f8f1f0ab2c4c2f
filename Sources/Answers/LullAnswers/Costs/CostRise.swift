public import LullHistory
public import LullModel

/// A task whose last successful runs took three times the processor time of those before.
///
/// Single runs differ, so medians are compared, of enough runs; and each of the last runs has to be above most of the earlier
/// ones. A rise of less than a second is none, for the kernel counts in steps of 10 ms.
public struct CostRise: Sendable, Equatable {
    /// How many runs are the last ones, and how many earlier ones there have to be, and are looked at.
    static let last = 5
    static let earlier = 10...30
    static let factor: Int64 = 3
    static let least: Int64 = 1000

    public let task: TaskIdentifier
    /// Medians, in milliseconds on the processors.
    public let before: Int64
    public let after: Int64
    /// Of how many earlier runs `before` is the median.
    public let count: Int

    /// `times`: of the task's successful runs, the newest first. Nil: they are not enough, or did not rise.
    init?(of task: TaskIdentifier, _ times: [Int64]) {
        let last = times.prefix(Self.last).sorted()
        let earlier = times.dropFirst(Self.last).prefix(Self.earlier.upperBound).sorted()
        guard earlier.count >= Self.earlier.lowerBound else { return nil }
        (before, after) = (earlier[earlier.count / 2], last[last.count / 2])
        (self.task, count) = (task, earlier.count)
        guard after / Self.factor >= before, after - before >= Self.least,
            last[0] > earlier[earlier.count * 3 / 4]
        else { return nil }
    }

    /// Of the task, or of all tasks, with successful runs from `since` on, those that rose until `end`.
    public static func read(
        of task: TaskIdentifier? = nil, since: WallTime, until end: WallTime, in history: any History
    ) throws(HistoryError) -> [CostRise] {
        var tasks: Set<TaskIdentifier> = []
        var recent = HistoryQuery(task: task, names: [.completed], since: since, until: end)
        recent.brief = [.completed]
        try history.forEachEvent(matching: recent) { event in
            if let task = event.task { tasks.insert(task) }
        }
        var rises: [CostRise] = []
        for task in tasks.sorted() {
            let query = HistoryQuery(
                task: task, names: [.completed], until: end, order: .newestFirst,
                limit: last + earlier.upperBound)
            let times = try history.events(matching: query).compactMap(\.cost?.processor)
            if let rise = CostRise(of: task, times) { rises.append(rise) }
        }
        return rises
    }

    public var sentence: String {
        "\(task) costs more than before: a run takes \(RunCost.time(after)) of the processor (the median of the last "
            + "\(Self.last)) and took \(RunCost.time(before)) (of \(count) earlier ones)."
    }
}
