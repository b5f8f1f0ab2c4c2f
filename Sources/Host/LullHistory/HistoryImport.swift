public import LullModel

/// Events from elsewhere, held against a history: what is to be added, before anything is.
///
/// The same events imported twice add nothing the second time. Uses go into any history. Requests, runs and transfers
/// carry numbers that are a history's own: they go into one that holds none yet.
public struct HistoryImport: Sendable, Equatable {
    public let events: [HistoryEvent]
    /// What runs printed that end with given events, and of which the history has nothing yet.
    public let outputs: [RunOutput]
    /// In the history already, or given twice.
    public let known: Int

    /// Throws `foreignNumbers`, with `source` as the place, for runs and requests of another history, whose numbers this
    /// one has used itself.
    public init(
        _ given: [HistoryEvent], _ givenOutputs: [RunID: JSONValue] = [:], from source: String,
        into history: any History
    ) throws(HistoryError) {
        events = try history.unknown(among: given)
        let ended = Set(given.filter { $0.ending != nil }.compactMap(\.run))
        var outputs: [RunOutput] = []
        for (run, json) in givenOutputs.sorted(by: { $0.key < $1.key }) where ended.contains(run) {
            guard let output = RunOutput(json: json, of: run) else {
                throw .inaccessible(path: source, reason: "what run \(run) printed is no list of its pieces")
            }
            if output.total > 0, try history.output(of: run) == nil { outputs.append(output) }
        }
        self.outputs = outputs
        known = given.count - events.count
        if hasNumbers, try history.holdsNumbers() { throw .foreignNumbers(path: source) }
    }

    /// Runs, requests or transfers are among the events.
    public var hasNumbers: Bool {
        events.contains { $0.run != nil || $0.request != nil || $0.transfer != nil }
    }
}
