import LullHistory
import LullModel

/// What of imported events is new to a history: the same file imported twice adds nothing the second time.
struct ImportPlan {
    let events: [HistoryEvent]
    private let given: Int

    /// Throws `foreignNumbers` for runs and requests of another history, whose numbers this one has used itself.
    init(_ events: [HistoryEvent], into history: some History) throws(HistoryError) {
        given = events.count
        self.events = try history.unknown(among: events)
        if self.events.contains(where: { $0.run != nil || $0.request != nil }), try history.holdsNumbers() {
            throw .foreignNumbers(path: "The import")
        }
    }

    var sentence: String {
        let added = "Imported \(events.count) event\(events.count == 1 ? "" : "s")"
        let known = given - events.count
        return known == 0 ? added + "." : added + "; \(known) \(known == 1 ? "was" : "were") there already."
    }
}
