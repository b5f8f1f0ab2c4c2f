public import LullHistory
public import LullModel

/// What fits a task better than the way in which it is started now, where its last runs show that.
///
/// It is a hint: the runs tell what the task took and printed, and not what it is for.
public struct BetterTool: Sendable, Equatable {
    public enum Fact: Sendable, Equatable {
        /// Of its last `runs`, a refresh was ended by its time limit in `ended`.
        case refreshOverLimit(ended: Int, runs: Int)
        /// Its last runs came often, were short, succeeded and printed nothing.
        case looksOften(runs: Int, longest: Duration, gap: Duration, needsNetwork: Bool)
    }

    public let task: TaskIdentifier
    public let fact: Fact

    /// So many of the last runs are looked at.
    static let examined = 20
    /// A refresh that meets its limit so often does more than a refresh is for.
    static let mostEnded = 3
    /// Who only looks whether there is anything to do is done in this time.
    static let look: Duration = .seconds(2)
    /// Who looks as often as this would rather be told.
    static let often: Duration = .minutes(15)

    /// Nil: its runs show nothing better. Reads no more than the last runs of one task.
    public init?(of task: TaskDefinition, in history: any History) throws(HistoryError) {
        guard Self.mayBeTold(task) else { return nil }
        var query = RunQuery(task: task.identifier, limit: Self.examined)
        var rows = try RunList.read(query, in: history).rows.filter { $0.outcome != nil }
        if rows.count == Self.examined, Self.looksByTheClock(task), Self.isOftenAndShort(rows) {
            // What they printed costs more to read, and is read of those alone that may only look.
            query.showsPrinted = true
            rows = try RunList.read(query, in: history).rows.filter { $0.outcome != nil }
        }
        self.init(of: task, rows)
    }

    /// `rows`: the last runs, the newest first, with what they printed.
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

    /// What only a plugin asks for, or an event starts, is told already.
    private static func mayBeTold(_ task: TaskDefinition) -> Bool {
        task.kind == .refresh || looksByTheClock(task)
    }

    /// Of a refresh the forecast chooses the moment, so it comes as often as somebody looks.
    private static func looksByTheClock(_ task: TaskDefinition) -> Bool {
        task.kind == .processing && (task.repeat != nil || task.at != nil)
    }

    private static func isOftenAndShort(_ rows: [RunList.Row]) -> Bool {
        guard let gap = gap(of: rows), gap <= often else { return false }
        return rows.allSatisfy { row in
            row.outcome == .succeeded && Duration.milliseconds(row.milliseconds ?? .max) <= look
        }
    }

    /// Between two launches, as a rule: the middle one of all gaps.
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
                "\(ended) of its last \(runs) runs were ended by the time limit. A refresh is for what takes "
                + "seconds. Make it `kind: processing`, or have it submit a processing task for the long part"
        case .looksOften(let runs, let longest, let gap, let needsNetwork):
            let what =
                "Its last \(runs) runs came every \(Phrase.about(gap)), printed nothing and took "
                + "\(Phrase.about(longest)) at most. If it looks for a file, `on: { path: FILE }` starts it when "
                + "the file comes"
            let server = "; if it asks a server that can call back, let that `lull push` it"
            return needsNetwork ? what + server : what
        }
    }
}
