import LullModel
import Synchronization

/// Collects events that another thread reads from the history.
final class EventBasket: Sendable {
    private let contents = Mutex<[HistoryEvent]>([])

    func put(_ event: HistoryEvent) { contents.withLock { $0.append(event) } }

    var events: [HistoryEvent] { contents.withLock { $0 } }
}
