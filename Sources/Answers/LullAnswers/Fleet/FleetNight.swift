import LullHistory
public import LullModel

/// The hosts' tasks in a span of time: figures of every host, and timelines of the first hosts.
public struct FleetNight: Sendable, Equatable {
    /// A host's figures.
    public struct Host: Sendable, Equatable {
        public var host: String
        public var place: String
        public var tally = FleetTally()

        public init(host: String, place: String) { (self.host, self.place) = (host, place) }
    }

    public struct Lanes: Sendable, Equatable {
        public var host: String
        public var place: String
        public var timeline: Timeline
    }

    public var from: WallTime
    public var to: WallTime
    /// Hosts that ran something, failures first; for a single task only its runs are counted.
    public var hosts: [Host]
    /// The number of hosts whose history the database has; for a single task, of those with an event of it.
    public var known: Int
    /// The timelines of the first hosts.
    public var lanes: [Lanes]
    /// Slots for any host that no host has run, the oldest first, with their reasons: they expired in the span, or are still
    /// due at its end.
    public var unrun: [SlotStatus] = []
    /// Whether there are more such slots, which were not read.
    public var isUnrunCut = false
    /// Whether older events of the span were not read.
    public var isCut: Bool

    /// The most hosts with a timeline.
    public static let most = 20
    static let mostEvents = 100_000

    /// `task`: only this one's timelines.
    public static func read(
        of task: TaskIdentifier? = nil, from: WallTime, to: WallTime, now: WallTime, zone: Zone,
        reader: any FleetReader
    ) throws(FleetReadError) -> FleetNight {
        var (hosts, known) = try task == nil ? figures(from: from, to: to, reader: reader) : ([], 0)
        var query = FleetQuery()
        query.task = task
        query.since = from
        query.until = to + .milliseconds(1)
        query.names = [
            .submitted, .replaced, .merged, .deferred, .cancelled, .givenUp, .launched, .completed, .failed,
            .interrupted, .absent,
        ]
        // A single task has few events, on whichever hosts it ran.
        if task == nil { query.hosts = hosts.prefix(most).map(\.place) }
        let unrun = try FleetUnrun.read(
            of: task, from: from, to: to, now: now, withReasons: true, reader: reader)
        guard task != nil || !hosts.isEmpty else {
            return FleetNight(
                from: from, to: to, hosts: [], known: known, lanes: [], unrun: unrun.slots,
                isUnrunCut: unrun.isCut, isCut: false)
        }
        let past = try FleetPast.read(query, most: mostEvents, from: reader)
        let lanes = past.byHost.map { host, place, events in
            let tasks = task.map { [$0] } ?? Set(events.compactMap(\.task)).filter { !$0.isWildcard }.sorted()
            // Events before the span are not read, so the state at its beginning is unknown.
            let timeline = Timeline(of: tasks, from: from, to: to, now: now, zone: zone, events: events)
            return Lanes(host: host, place: place, timeline: timeline)
        }
        if task != nil {
            hosts = Self.ordered(
                past.byHost.map { host, place, events in
                    var figures = Host(host: host, place: place)
                    for event in events {
                        figures.tally.take(event, 1)
                    }
                    return figures
                })
            known = hosts.count
        }
        return FleetNight(
            from: from, to: to, hosts: hosts, known: known, lanes: lanes, unrun: unrun.slots,
            isUnrunCut: unrun.isCut, isCut: past.isCut)
    }

    static func figures(
        from: WallTime, to: WallTime, reader: any FleetReader
    ) throws(FleetReadError) -> ([Host], known: Int) {
        let answer = try FleetCounts.read(from: from, to: to, reader: reader)
        var hosts: [String: Host] = [:]
        for count in answer.counts {
            guard let place = count.place else { continue }
            hosts[place, default: Host(host: count.host ?? place, place: place)].tally.take(count)
        }
        return (ordered(Array(hosts.values)), answer.hosts)
    }

    private static func ordered(_ hosts: [Host]) -> [Host] {
        hosts.sorted {
            $0.tally.weight != $1.tally.weight
                ? $0.tally.weight > $1.tally.weight : ($0.host, $0.place) < ($1.host, $1.place)
        }
    }
}
