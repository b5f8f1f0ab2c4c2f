public import LullModel

/// The plan of an import: the given events and outputs that a history does not hold yet.
///
/// The same events imported twice add nothing the second time. Uses go into any history. Requests, runs and transfers
/// carry numbers that are a history's own: they go into one that holds none yet.
public struct HistoryImport: Sendable, Equatable {
    public let events: [HistoryEvent]
    /// The output of runs that end with given events, if the history has none of it yet.
    public let outputs: [RunOutput]
    /// How many events are in the history already, or were given twice.
    public let known: Int

    /// Throws `foreignNumbers`, with `source` as the place, if new events carry numbers of another history and this one has
    /// numbers of its own.
    public init(
        _ given: [HistoryEvent], _ givenOutputs: [RunID: JSONValue] = [:], from source: String,
        into history: any History
    ) throws(HistoryError) {
        events = try history.unknown(among: given)
        let ended = Set(given.filter { $0.ending != nil }.compactMap(\.run))
        var outputs: [RunOutput] = []
        for (run, json) in givenOutputs.sorted(by: { $0.key < $1.key }) where ended.contains(run) {
            guard let output = RunOutput(json: json, of: run) else {
                throw .inaccessible(path: source, reason: "the output of run \(run) is not a list of pieces")
            }
            if output.total > 0, try history.output(of: run) == nil { outputs.append(output) }
        }
        self.outputs = outputs
        known = given.count - events.count
        if hasNumbers, try history.holdsNumbers() { throw .foreignNumbers(path: source) }
    }

    /// Whether runs, requests or transfers are among the events.
    public var hasNumbers: Bool {
        events.contains { $0.run != nil || $0.request != nil || $0.transfer != nil }
    }
}
