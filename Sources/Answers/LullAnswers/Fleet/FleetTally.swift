import LullModel

/// The number of runs by how they ended.
public struct FleetTally: Sendable, Equatable, Encodable {
    public var launched = 0
    public var succeeded = 0
    public var failed = 0
    /// Ended before they were done, through no fault of the task.
    public var cutShort = 0
    /// Times and requests that were given up.
    public var givenUp = 0

    public init() {}

    private enum CodingKeys: String, CodingKey {
        case launched = "launchedCount"
        case succeeded = "succeededCount"
        case failed = "failedCount"
        case cutShort = "cutShortCount"
        case givenUp = "givenUpCount"
    }

    /// The order of attention: the highest first.
    var weight: (Int, Int, Int) { (failed, givenUp, cutShort) }
    public var isWell: Bool { weight == (0, 0, 0) }

    mutating func take(_ event: HistoryEvent, _ count: Int) {
        if event.event == .launched { launched += count }
        if event.event == .givenUp { givenUp += count }
        guard let ending = event.ending else { return }
        // `isFailure` is the one rule for failures.
        if event.isFailure {
            failed += count
        } else if ending.isSuccess {
            succeeded += count
        } else {
            cutShort += count
        }
    }

    mutating func take(_ count: FleetCounts.Count) {
        guard let name = HistoryEvent.Name(rawValue: count.event) else { return }
        var event = HistoryEvent(
            name, at: .distantPast, app: .host, outcome: count.outcome.flatMap(Outcome.init(rawValue:)))
        event.gates = count.gates
        take(event, count.count)
    }
}

/// The database's counts of events in a span.
struct FleetCounts: Decodable {
    struct Count: Decodable {
        let host: String?
        let place: String?
        let task: TaskIdentifier?
        let event: String
        let outcome: String?
        let gates: [String]?
        let count: Int
    }

    enum Part: String { case host, task, both }

    let counts: [Count]
    /// The number of hosts whose history the database has.
    let hosts: Int

    /// `places`: only these; nil: all.
    static func read(
        by part: Part = .host, of places: [String]? = nil, from: WallTime, to: WallTime,
        reader: any FleetReader
    ) throws(FleetReadError) -> FleetCounts {
        var question: [String: JSONValue] = [
            "since": .integer(from.milliseconds), "until": .integer(to.milliseconds),
            "by": .string(part.rawValue),
        ]
        if let places { question["hosts"] = .array(places.map { .string($0) }) }
        return try reader.ask("night_1", question, as: FleetCounts.self)
    }
}
