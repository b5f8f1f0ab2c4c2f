import LullHistory
import LullModel

extension History {
    /// The newest failures among what a query asks for, the newest first, and no more than so many.
    ///
    /// Read in parts: the database finds events by name, and the name alone does not say whether an event is a failure.
    func newestFailures(
        matching query: HistoryQuery, most: Int, part: Int = 1000
    ) throws(HistoryError) -> [HistoryEvent] {
        var (found, met, asked): ([HistoryEvent], Set<EventIdentity>, HistoryQuery) = ([], [], query)
        asked.order = .newestFirst
        asked.limit = part
        while true {
            let events = try self.events(matching: asked)
            // Events of one millisecond may lie in two parts.
            let fresh = events.filter { met.insert(EventIdentity($0)).inserted }
            found += fresh.filter(\.isFailure)
            guard found.count < most, events.count == part, let oldest = events.last?.time else {
                return Array(found.prefix(most))
            }
            asked.until = fresh.isEmpty ? oldest : oldest + .milliseconds(1)
        }
    }
}
