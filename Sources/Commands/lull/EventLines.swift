import Logging
import LullModel

/// Events that happened together, as lines of a log.
///
/// At its start a host requests every task of its manifest and defers nearly all of them: many events of one kind become
/// one line, and the history has each.
struct EventLines {
    let lines: [(text: String, fields: Logger.Metadata)]

    /// From this many on they become one line.
    static let many = 4

    /// Events that many tasks have at once. An end, a failure or a refusal always has its own line.
    private static let foldable: [HistoryEvent.Name: String] = [
        .submitted: "`lull pending` lists them", .deferred: "`lull status` says what each waits for",
    ]

    init(_ events: [HistoryEvent]) {
        // Conditions are recorded for likelihoods, and a reader of logs has no use for them.
        let told = events.filter { $0.event != .conditions }
        let counts = told.reduce(into: [:]) { counts, event in counts[event.event, default: 0] += 1 }
        var folded: Set<HistoryEvent.Name> = []
        lines = told.compactMap { event in
            guard let place = Self.foldable[event.event], let count = counts[event.event], count >= Self.many
            else { return (event.line, event.fields) }
            guard folded.insert(event.event).inserted else { return nil }
            return (
                "\(event.event.rawValue) \(count) tasks: \(place)", ["event": "\(event.event.rawValue)"]
            )
        }
    }
}

extension HistoryEvent {
    /// Its name for people: `notified` also records a notice that was not delivered.
    var title: String { isUntold ? "not notified" : event.rawValue }

    var isUntold: Bool { event == .notified && notice?.state != .delivered && notice?.state != .handedOn }
}
