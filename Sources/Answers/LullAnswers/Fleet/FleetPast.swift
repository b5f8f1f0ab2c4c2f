import LullHistory
public import LullModel

/// Which of the fleet's events are asked for; an absent part does not narrow.
public struct FleetQuery: Sendable, Equatable {
    public var app: AppIdentifier?
    public var task: TaskIdentifier?
    public var run: RunID?
    /// By name or place.
    public var hosts: [String] = []
    public var names: Set<HistoryEvent.Name> = []
    /// Inclusive.
    public var since: WallTime?
    /// Exclusive.
    public var until: WallTime?
    /// The newest so many.
    public var limit = Self.mostEvents

    /// The database hands out no more at once.
    public static let mostEvents = 20_000

    public init() {}

    var question: [String: JSONValue] {
        var question: [String: JSONValue] = ["limit": .integer(Int64(limit)), "newest": true]
        question["app"] = app.map { .string($0.text) }
        question["task"] = task.map { .string($0.text) }
        question["run"] = run.map { .integer(Int64(clamping: $0.number)) }
        question["since"] = since.map { .integer($0.milliseconds) }
        question["until"] = until.map { .integer($0.milliseconds) }
        if !hosts.isEmpty { question["hosts"] = .array(hosts.sorted().map { .string($0) }) }
        if !names.isEmpty { question["names"] = .array(names.map(\.rawValue).sorted().map { .string($0) }) }
        return question
    }
}

/// An event of one of the fleet's hosts.
public struct FleetEvent: Sendable, Equatable {
    /// For people; two hosts may have the same.
    public var host: String
    public var place: String
    /// In that host's history.
    public var sequence: Int64
    public var event: HistoryEvent

    public init(host: String, place: String, sequence: Int64, event: HistoryEvent) {
        (self.host, self.place, self.sequence, self.event) = (host, place, sequence, event)
    }

    /// As a line for programs: the host's own, and whose it is.
    public var line: String {
        "{\"host\":\(JSONValue.string(host).text),\"place\":\(JSONValue.string(place).text),\"sequence\":\(sequence),"
            + HistoryLines.encode(event).dropFirst()
    }
}

/// What the database has of the hosts' histories.
public struct FleetPast: Sendable, Equatable {
    /// In ascending order of time.
    public var events: [FleetEvent]
    /// There are older ones.
    public var isCut: Bool
    /// Events of hosts with a newer Lull, which this one can't read.
    public var unread: Int

    public static func read(
        _ query: FleetQuery, from reader: any FleetReader
    ) throws(FleetReadError) -> FleetPast {
        struct Answer: Decodable {
            struct Event: Decodable {
                let host: String
                let place: String
                let seq: Int64
                let line: String
            }
            let events: [Event]
            let cut: Bool
        }
        let answer = try reader.ask("events_1", query.question, as: Answer.self)
        let events = answer.events.reversed().compactMap { found in
            event(found.line).map {
                FleetEvent(host: found.host, place: found.place, sequence: found.seq, event: $0)
            }
        }
        return FleetPast(events: events, isCut: answer.cut, unread: answer.events.count - events.count)
    }

    /// The same in parts, so that many hosts' events are all there: `most` of them.
    static func read(
        _ query: FleetQuery, most: Int, from reader: any FleetReader
    ) throws(FleetReadError) -> FleetPast {
        var query = query
        var past = try read(query, from: reader)
        while past.isCut, past.events.count < most, let oldest = past.events.first?.event.time {
            // Events of one millisecond may lie in two parts.
            query.until = oldest + .milliseconds(1)
            let part = try read(query, from: reader)
            let known = Set(past.events.prefix { $0.event.time == oldest }.map { Number($0) })
            let fresh = part.events.filter { !known.contains(Number($0)) }
            past = FleetPast(
                events: fresh + past.events, isCut: part.isCut && !fresh.isEmpty,
                unread: past.unread + part.unread)
        }
        return past
    }

    private struct Number: Hashable {
        let place: String
        let sequence: Int64
        init(_ event: FleetEvent) { (place, sequence) = (event.place, event.sequence) }
    }

    static func event(_ line: String) -> HistoryEvent? {
        try? HistoryLines.decode(line, number: 1, path: "")
    }

    /// What a run printed last; nil: nothing is kept of it.
    public static func output(
        of run: RunID, on place: String, from reader: any FleetReader
    ) throws(FleetReadError) -> String? {
        struct Answer: Decodable { let text: String? }
        return try reader.ask(
            "output_1", ["host": .string(place), "run": .integer(Int64(clamping: run.number))],
            as: Answer.self
        ).text
    }

    /// The hosts that have an event here, each with a history of these alone, by name.
    public var byHost: [(host: String, place: String, events: [HistoryEvent])] {
        var places: [String: (host: String, events: [HistoryEvent])] = [:]
        for event in events {
            places[event.place, default: (event.host, [])].events.append(event.event)
        }
        return places.map { ($0.value.host, $0.key, $0.value.events) }
            .sorted { ($0.host, $0.place) < ($1.host, $1.place) }
    }

    /// Runs of all hosts, the newest first: each host's as `RunList` reads them.
    public func runs(_ query: RunQuery) -> [(host: String, row: RunList.Row)] {
        byHost.flatMap { host, _, events in
            let history = MemoryHistory()
            try? history.append(HistoryBatch(events: events))
            // In memory nothing fails.
            let rows = (try? RunList.read(query, in: history))?.rows ?? []
            return rows.map { (host: host, row: $0) }
        }.sorted { Self.time($0.row) > Self.time($1.row) }
    }

    private static func time(_ row: RunList.Row) -> WallTime { row.launched ?? row.ended ?? .distantPast }
}
