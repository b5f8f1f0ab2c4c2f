/// The event that started a task or will start it; several events may be merged into one.
public struct TriggerEvent: Sendable, Hashable, Codable {
    /// The kinds of the events, in the order of their first arrival.
    public var kinds: [Trigger.Kind]
    /// The number of events.
    public var count: Int
    public var first: WallTime
    public var last: WallTime
    /// Of files, the paths of the first ones, up to `Limits.eventPaths`.
    public var paths: [String] = []
    /// Of a chain: the latest preceding run.
    public var task: TaskIdentifier?
    public var run: RunID?
    public var outcome: Outcome?
    /// The latest device, by its name in /dev or else by the kernel's.
    public var device: String?
    /// The user of the latest login.
    public var user: String?
    /// The kernel has lost events: only the folder itself shows all files.
    public var isIncomplete = false
    /// It came while no host was running to see it.
    public var wasMissed = false

    public init(_ kind: Trigger.Kind, at time: WallTime, count: Int = 1) {
        kinds = [kind]
        self.count = max(1, count)
        first = time
        last = time
    }

    /// Merges a later event into this one.
    public mutating func merge(_ other: TriggerEvent) {
        for kind in other.kinds where !kinds.contains(kind) { kinds.append(kind) }
        let (sum, isTooMany) = count.addingReportingOverflow(other.count)
        count = isTooMany ? .max : sum
        first = min(first, other.first)
        last = max(last, other.last)
        add(other.paths)
        if let other = other.task { task = other }
        if let other = other.run { run = other }
        if let other = other.outcome { outcome = other }
        device = other.device ?? device
        user = other.user ?? user
        isIncomplete = isIncomplete || other.isIncomplete
        wasMissed = wasMissed || other.wasMissed
    }

    /// Adds as many paths as there is room for, each once.
    public mutating func add(_ more: [String]) {
        var bytes = paths.reduce(0) { $0 + $1.utf8.count + 1 }
        var known = Set(paths)
        for path in more where paths.count < Limits.eventPaths {
            guard bytes + path.utf8.count + 1 <= Limits.eventPathBytes, known.insert(path).inserted else {
                continue
            }
            bytes += path.utf8.count + 1
            paths.append(path)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case kinds = "on"
        case count, first, last, paths, task, run, outcome, device, user
        case isIncomplete = "incomplete"
        case wasMissed = "missed"
    }
}

extension TriggerEvent {
    /// For programs; absent parts have no key.
    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "on": .array(kinds.map { .string($0.rawValue) }), "count": .integer(Int64(count)),
            "first": .integer(first.milliseconds), "last": .integer(last.milliseconds),
        ]
        if !paths.isEmpty { members["paths"] = .array(paths.map { .string($0) }) }
        if let task { members["task"] = .string(task.text) }
        if let run { members["run"] = .integer(Int64(clamping: run.number)) }
        if let outcome { members["outcome"] = .string(outcome.rawValue) }
        if let device { members["device"] = .string(device) }
        if let user { members["user"] = .string(user) }
        if isIncomplete { members["incomplete"] = .bool(true) }
        if wasMissed { members["missed"] = .bool(true) }
        return .object(members)
    }

    /// Nil when `json` is no trigger event.
    public init?(json: JSONValue) {
        guard case .object(let members) = json, case .array(let words)? = members["on"],
            case .integer(let first)? = members["first"]
        else { return nil }
        let kinds = words.compactMap { word -> Trigger.Kind? in
            guard case .string(let word) = word else { return nil }
            return Trigger.Kind(rawValue: word)
        }
        guard let kind = kinds.first, kinds.count == words.count else { return nil }
        func text(_ name: String) -> String? {
            if case .string(let text)? = members[name] { text } else { nil }
        }
        var count: Int64 = 1
        if case .integer(let number)? = members["count"] { count = number }
        self.init(kind, at: WallTime(recorded: first), count: Int(clamping: count))
        for kind in kinds where !self.kinds.contains(kind) { self.kinds.append(kind) }
        if case .integer(let last)? = members["last"] {
            self.last = max(self.first, WallTime(recorded: last))
        }
        if case .array(let paths)? = members["paths"] {
            add(
                paths.compactMap { path in
                    if case .string(let path) = path { path } else { nil }
                })
        }
        task = text("task").flatMap { TaskIdentifier($0) }
        if case .integer(let number)? = members["run"], number >= 0 { run = RunID(UInt64(number)) }
        outcome = text("outcome").flatMap(Outcome.init(rawValue:))
        device = text("device")
        user = text("user")
        isIncomplete = members["incomplete"] == .bool(true)
        wasMissed = members["missed"] == .bool(true)
    }
}
