import LullHistory
public import LullModel

/// The fleet in a span of time for the page: hosts as rows, tasks as lanes, failures first.
///
/// In a large fleet only hosts with trouble have a row, and the others are counted. A search by name also finds hosts
/// without trouble.
public struct FleetGrid: Sendable, Encodable {
    public struct Task: Sendable, Encodable {
        public var task: TaskIdentifier
        /// The tally of all hosts.
        public var tally: FleetTally
    }

    public struct Row: Sendable, Encodable {
        public var host: String
        public var place: String
        /// `lives`, `draining`, `silent`, `stopped`, or `gone`: the database has only its history.
        public var state: String
        /// Since its last sign of life, in milliseconds; nil: it is gone.
        public var agoMs: Int64?
        public var tally: FleetTally
        /// The tally of each task, in the order of the tasks; nil: it has no events in the span.
        public var lanes: [FleetTally?]
    }

    public var from: String
    public var to: String
    /// The number of known hosts, and of those that do not live and have not said goodbye.
    public var hostCount: Int
    public var silentCount: Int
    public var drainingCount: Int
    /// Hosts on which nothing went wrong in the span.
    public var wellCount: Int
    /// Runs under way.
    public var leasedCount: Int
    /// Slots that no host has.
    public var openCount: Int
    public var tasks: [Task]
    /// Tasks and hosts that are not shown.
    public var moreTaskCount: Int
    public var moreHostCount: Int
    public var rows: [Row]
    /// The rollout of the manifest that hosts follow; nil: there is none.
    public var rollout: Rollout?

    public struct Rollout: Sendable, Encodable {
        public var isWell: Bool
        public var sentences: [String]
    }

    public static let mostRows = 60
    public static let mostTasks = 40

    /// `name`: only hosts whose names contain this.
    public static func read(
        from: WallTime, to: WallTime, now: WallTime, finding name: String = "", reader: any FleetReader
    ) throws(FleetReadError) -> FleetGrid {
        let overview = try FleetOverview.read(from: reader)
        let (figures, _) = try FleetNight.figures(from: from, to: to, reader: reader)
        let tasks = try tasks(from: from, to: to, now: now, reader: reader)
        let rows = rows(overview.hosts, figures)
        let sought = name.lowercased()
        let found = rows.filter { sought.isEmpty ? !isWell($0) : $0.host.lowercased().contains(sought) }
        // A fleet for which the page has room is shown completely.
        let shown = Array((sought.isEmpty && rows.count <= mostRows ? rows : found).prefix(mostRows))
        let columns = Array(tasks.prefix(mostTasks))
        var grid = FleetGrid(
            from: from.rfc3339, to: to.rfc3339, hostCount: rows.count,
            silentCount: rows.count { $0.state == "silent" },
            drainingCount: rows.count { $0.state == "draining" }, wellCount: rows.count(where: isWell),
            leasedCount: overview.leasedCount, openCount: overview.open, tasks: columns,
            moreTaskCount: tasks.count - columns.count,
            moreHostCount: (sought.isEmpty ? rows.count : found.count) - shown.count, rows: shown,
            rollout: overview.rollout.map { Rollout(isWell: $0.isWell, sentences: $0.sentences) })
        guard !shown.isEmpty else { return grid }
        let counts = try FleetCounts.read(
            by: .both, of: shown.map(\.place), from: from, to: to, reader: reader)
        var cells: [String: [TaskIdentifier: FleetTally]] = [:]
        for count in counts.counts {
            guard let place = count.place, let task = count.task else { continue }
            cells[place, default: [:]][task, default: FleetTally()].take(count)
        }
        for index in grid.rows.indices {
            grid.rows[index].lanes = columns.map { cells[grid.rows[index].place]?[$0.task] }
        }
        return grid
    }

    private static func isWell(_ row: Row) -> Bool { row.tally.isWell && row.state != "silent" }

    private static func tasks(
        from: WallTime, to: WallTime, now: WallTime, reader: any FleetReader
    ) throws(FleetReadError) -> [Task] {
        var tallies: [TaskIdentifier: FleetTally] = [:]
        for count in try FleetCounts.read(by: .task, from: from, to: to, reader: reader).counts {
            if let task = count.task { tallies[task, default: FleetTally()].take(count) }
        }
        // No host has given up what any host may run: the fleet has.
        let unrun = try FleetUnrun.read(from: from, to: to, now: now, reader: reader)
        for slot in unrun.slots where slot.state.isEnd {
            tallies[slot.slot.task, default: FleetTally()].givenUp += 1
        }
        return tallies.map { Task(task: $0.key, tally: $0.value) }.sorted {
            $0.tally.weight != $1.tally.weight ? $0.tally.weight > $1.tally.weight : $0.task < $1.task
        }
    }

    /// Failures first, then silent hosts.
    private static func rows(_ hosts: [FleetOverview.Host], _ figures: [FleetNight.Host]) -> [Row] {
        var rows: [String: Row] = [:]
        // Of two processes of one place, the one with the latest sign of life counts.
        for host in hosts.sorted(by: { $0.ago > $1.ago }) {
            rows[host.place] = Row(
                host: host.name, place: host.place,
                state: host.standing, agoMs: host.ago, tally: FleetTally(), lanes: [])
        }
        for figure in figures {
            let gone = Row(
                host: figure.host, place: figure.place, state: "gone", agoMs: nil, tally: FleetTally(),
                lanes: [])
            rows[figure.place, default: gone].tally = figure.tally
        }
        let order = ["silent", "draining", "stopped", "lives", "gone"]
        return rows.values.sorted { a, b in
            guard a.tally.weight == b.tally.weight else { return a.tally.weight > b.tally.weight }
            let ranks = (order.firstIndex(of: a.state) ?? 0, order.firstIndex(of: b.state) ?? 0)
            return ranks.0 != ranks.1 ? ranks.0 < ranks.1 : (a.host, a.place) < (b.host, b.place)
        }
    }
}
