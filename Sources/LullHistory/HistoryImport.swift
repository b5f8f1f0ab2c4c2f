public import LullModel

/// Events from elsewhere, held against a history: what is to be added, before anything is.
///
/// The same events imported twice add nothing the second time. Uses go into any history. Requests, runs and transfers
/// carry numbers that are a history's own: they go into one that holds none yet.
public struct HistoryImport: Sendable, Equatable {
    public let events: [HistoryEvent]
    /// What the runs printed that end with those.
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
        let ended = Set(events.filter { $0.ending != nil }.compactMap(\.run))
        var outputs: [RunOutput] = []
        for (run, json) in givenOutputs where ended.contains(run) {
            guard let output = RunOutput(json: json, of: run) else {
                throw .inaccessible(path: source, reason: "what run \(run) printed is no list of its pieces")
            }
            if output.total > 0 { outputs.append(output) }
        }
        self.outputs = outputs
        known = given.count - events.count
        if events.contains(where: { $0.run != nil || $0.request != nil || $0.transfer != nil }),
            try history.holdsNumbers()
        {
            throw .foreignNumbers(path: source)
        }
    }
}
