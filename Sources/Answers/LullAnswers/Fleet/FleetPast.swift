import LullHistory
public import LullModel

/// A query for the fleet's events; an absent part does not narrow.
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
    /// The most events, the newest first.
    public var limit = Self.mostEvents

    /// The database returns no more in one answer.
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
    /// The host's name, for people; two hosts may have the same.
    public var host: String
    public var place: String
    /// The event's number in that host's history.
    public var sequence: Int64
    public var event: HistoryEvent

    public init(host: String, place: String, sequence: Int64, event: HistoryEvent) {
        (self.host, self.place, self.sequence, self.event) = (host, place, sequence, event)
    }

    /// A line for programs: the host, place and number, then the members of the host's own line.
    public var line: String {
        "{\"host\":\(JSONValue.string(host).text),\"place\":\(JSONValue.string(place).text),\"sequence\":\(sequence),"
            + HistoryLines.encode(event).dropFirst()
    }
}

/// Events from the hosts' histories in the database.
public struct FleetPast: Sendable, Equatable {
    /// In ascending order of time.
    public var events: [FleetEvent]
    /// Whether there are older ones.
    public var isCut: Bool
    /// The number of events that this Lull can't read, from hosts with a newer one.
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

    /// Reads in parts beyond the limit of one answer, until there are at least `most` events or no more.
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

    /// The last output of a run; nil: nothing is kept of it.
    public static func output(
        of run: RunID, on place: String, from reader: any FleetReader
    ) throws(FleetReadError) -> String? {
        struct Answer: Decodable { let text: String? }
        return try reader.ask(
            "output_1", ["host": .string(place), "run": .integer(Int64(clamping: run.number))],
            as: Answer.self
        ).text
    }

    /// The events of each host, sorted by the hosts' names.
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
            // A history in memory does not fail.
            let rows = (try? RunList.read(query, in: history))?.rows ?? []
            return rows.map { (host: host, row: $0) }
        }.sorted { Self.time($0.row) > Self.time($1.row) }
    }

    private static func time(_ row: RunList.Row) -> WallTime { row.launched ?? row.ended ?? .distantPast }
}
