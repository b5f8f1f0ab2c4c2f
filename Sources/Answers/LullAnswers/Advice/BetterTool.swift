public import LullHistory
public import LullModel

/// A better way to start a task, if its last runs suggest one.
///
/// It is only a hint: the runs show how long the task took and what it printed, not its purpose.
public struct BetterTool: Sendable, Equatable {
    public enum Fact: Sendable, Equatable {
        /// Of its last `runs`, a refresh was ended by its time limit in `ended`.
        case refreshOverLimit(ended: Int, runs: Int)
        /// Its last runs came often, were short, succeeded and printed nothing.
        case looksOften(runs: Int, longest: Duration, gap: Duration, needsNetwork: Bool)
    }

    public let task: TaskIdentifier
    public let fact: Fact

    /// The number of last runs that are examined.
    static let examined = 20
    /// A refresh that reaches its time limit this often does more than a refresh should.
    static let mostEnded = 3
    /// A run that only checks whether there is anything to do takes no longer.
    static let look: Duration = .seconds(2)
    /// A task that checks at least this often would better be started by an event.
    static let often: Duration = .minutes(15)

    /// Nil: its runs suggest nothing better. Reads only the last runs of one task.
    public init?(of task: TaskDefinition, in history: any History) throws(HistoryError) {
        guard Self.mayBeTold(task) else { return nil }
        var query = RunQuery(task: task.identifier, limit: Self.examined)
        var rows = try RunList.read(query, in: history).rows.filter { $0.outcome != nil }
        if rows.count == Self.examined, Self.looksByTheClock(task), Self.isOftenAndShort(rows) {
            // Output is slower to read, so it is read only for tasks that may only check.
            query.showsPrinted = true
            rows = try RunList.read(query, in: history).rows.filter { $0.outcome != nil }
        }
        self.init(of: task, rows)
    }

    /// `rows`: the last runs, the newest first, with their output.
    init?(of task: TaskDefinition, _ rows: [RunList.Row]) {
        self.task = task.identifier
        let ended = rows.prefix(10).filter { $0.outcome == .expired }.count
        if task.kind == .refresh, ended >= Self.mostEnded, rows.first?.outcome == .expired {
            fact = .refreshOverLimit(ended: ended, runs: min(rows.count, 10))
            return
        }
        guard Self.looksByTheClock(task), rows.count >= Self.examined, Self.isOftenAndShort(rows),
            rows.allSatisfy({ $0.printed.isEmpty && !$0.hidesPrinted }),
            let gap = Self.gap(of: rows)
        else { return nil }
        let longest = rows.compactMap(\.milliseconds).max() ?? 0
        fact = .looksOften(
            runs: rows.count, longest: .milliseconds(longest), gap: gap,
            needsNetwork: task.requires.network != nil)
    }

    /// False for tasks, other than refreshes, that only a plugin requests or an event starts: they need no advice.
    private static func mayBeTold(_ task: TaskDefinition) -> Bool {
        task.kind == .refresh || looksByTheClock(task)
    }

    /// Not for a refresh: the forecast chooses its moments, so it runs as often as people use the app.
    private static func looksByTheClock(_ task: TaskDefinition) -> Bool {
        task.kind == .processing && (task.repeat != nil || task.at != nil)
    }

    private static func isOftenAndShort(_ rows: [RunList.Row]) -> Bool {
        guard let gap = gap(of: rows), gap <= often else { return false }
        return rows.allSatisfy { row in
            row.outcome == .succeeded && Duration.milliseconds(row.milliseconds ?? .max) <= look
        }
    }

    /// The usual gap between two launches: the median of all gaps.
    private static func gap(of rows: [RunList.Row]) -> Duration? {
        let times = rows.compactMap(\.launched)
        guard times.count > 1 else { return nil }
        let gaps = zip(times, times.dropFirst()).map { $0 - $1 }.sorted()
        return gaps[gaps.count / 2]
    }

    /// For people, without the task's name.
    public var sentence: String {
        switch fact {
        case .refreshOverLimit(let ended, let runs):
            return
                "\(ended) of its last \(runs) runs were ended by the time limit. A refresh should take "
                + "seconds. Make it `kind: processing`, or have it submit a processing task for the long part"
        case .looksOften(let runs, let longest, let gap, let needsNetwork):
            let what =
                "Its last \(runs) runs came every \(Phrase.about(gap)), printed nothing and took "
                + "\(Phrase.about(longest)) at most. If it looks for a file, `on: { path: FILE }` starts it when "
                + "the file comes"
            let server = "; if it asks a server that can call back, let the server call `lull push`"
            return needsNetwork ? what + server : what
        }
    }
}
