import LullControl
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

    var response: ControlResponse { .imported(added: events.count, known: given - events.count) }
}
