public import LullHistory
public import LullModel

/// What the runs of a span of time cost, by app, by task or by hour of the day, and which runs were the dearest.
///
/// Dear means: much time on the processors.
public struct CostReport: Sendable, Equatable {
    public enum Grouping: String, Sendable, CaseIterable {
        case app, task
        /// The hour of the day in which a run began, in the host's time zone.
        case hour
    }

    public struct Row: Sendable, Equatable {
        /// The name of an app or task; nil: the row is of an hour.
        public var name: String?
        /// 0 to 23; nil: the row is of an app or a task.
        public var hour: Int?
        public var sum = CostSum()
    }

    public struct Run: Sendable, Equatable {
        public var run: RunID
        public var task: TaskIdentifier
        public var ended: WallTime
        public var cost: RunCost
    }

    public let since: WallTime
    public let grouping: Grouping
    /// The dearest first, and those of which nothing is known last; hours in their order.
    public let rows: [Row]
    /// The dearest first.
    public let dearest: [Run]
    public let total: CostSum
    /// Of runs up to here only each day's figures are left, without what they cost; nil: all runs are there.
    public let thinned: WallTime?

    public static let mostRuns = 5

    public static func read(
        since: WallTime, by grouping: Grouping, now: WallTime, zone: Zone, in history: any History
    ) throws(HistoryError) -> CostReport {
        var sums: [String: CostSum] = [:]
        var total = CostSum()
        var dearest: [Run] = []
        let ends = HistoryQuery(names: [.completed, .failed, .interrupted], since: since)
        try history.forEachEvent(matching: ends) { event in
            // Without a run, an app could not be loaded.
            guard let run = event.run, let task = event.task else { return }
            let key =
                switch grouping {
                case .app: event.app.text
                case .task: task.text
                case .hour: String(hour(of: event, in: zone))
                }
            sums[key, default: CostSum()].add(event.cost)
            total.add(event.cost)
            guard let cost = event.cost, let time = cost.processor else { return }
            let place = dearest.firstIndex { time > $0.cost.processor ?? 0 } ?? dearest.endIndex
            guard place < mostRuns else { return }
            dearest.insert(Run(run: run, task: task, ended: event.time, cost: cost), at: place)
            dearest = Array(dearest.prefix(mostRuns))
        }
        let rows = sums.map { key, sum in
            grouping == .hour ? Row(hour: Int(key), sum: sum) : Row(name: key, sum: sum)
        }
        return CostReport(
            since: since, grouping: grouping,
            rows: rows.sorted { a, b in
                if grouping == .hour { return a.hour ?? 0 < b.hour ?? 0 }
                if (a.sum.known == 0) != (b.sum.known == 0) { return b.sum.known == 0 }
                return a.sum.processor == b.sum.processor
                    ? a.name ?? "" < b.name ?? "" : a.sum.processor > b.sum.processor
            }, dearest: dearest, total: total,
            thinned: try history.thinned(from: since, to: now)?.until)
    }

    /// 0 to 1; nil: nothing has cost anything.
    public func share(of row: Row) -> Double? {
        total.processor == 0 || row.sum.known == 0
            ? nil : Double(row.sum.processor) / Double(total.processor)
    }

    private static func hour(of end: HistoryEvent, in zone: Zone) -> Int {
        let milliseconds = end.time.milliseconds.subtractingReportingOverflow(max(0, end.milliseconds ?? 0))
            .partialValue
        return zone.local(WallTime(recorded: milliseconds)).hour
    }
}
