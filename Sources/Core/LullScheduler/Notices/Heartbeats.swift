import LullModel

/// The heartbeats that are under way, and what came of the last ones.
struct Heartbeats: Sendable {
    private var underWay: Set<String> = []
    private var results: [String: StatusReport.SinkStatus] = [:]

    var isIdle: Bool { underWay.isEmpty }
    var statuses: [StatusReport.SinkStatus] { results.values.sorted { $0.sink < $1.sink } }

    /// False: a service that answers slowly gets no other ping before it has answered.
    mutating func begin(_ name: String) -> Bool { underWay.insert(name).inserted }

    mutating func end(_ name: String, trouble: String?, at now: WallTime) {
        underWay.remove(name)
        let last = results[name]
        results[name] = .init(
            sink: name, delivered: trouble == nil ? now : last?.delivered,
            failures: trouble == nil ? 0 : (last?.failures ?? 0) + 1, trouble: trouble, waiting: 0)
    }

    mutating func forgetResults() { results = [:] }
}
