import LullAnswers
import LullModel

/// The counts of the whole history, kept up to date: read in parts, and by one reader for all callers.
actor MetricsCount {
    /// The most events in memory at a time; between two parts other requests are answered.
    static let part = 10_000
    /// While so many callers wait, another one is refused.
    static let limit = 16

    private let answers: any WebAnswers
    private var fold = MetricsFold()
    private var folded: Int64 = 0
    private var reading: Task<Void, any Error>?
    private(set) var waiting = 0

    init(answers: any WebAnswers) {
        self.answers = answers
    }

    /// The counts of all events so far. `tasks` are the manifest's; nil: not known now, so the last known ones apply.
    func upToDate(tasks: [TaskIdentifier]?) async throws -> MetricsFold {
        guard waiting < Self.limit else {
            throw WebRefusal(
                503,
                "\(Self.limit) scrapes already wait for the history to be counted. Ask again in a minute.")
        }
        waiting += 1
        defer { waiting -= 1 }
        let task =
            reading
            ?? Task {
                defer { reading = nil }
                try await read(tasks.map(MetricsNames.init) ?? fold.names)
            }
        reading = task
        try await task.value
        return fold
    }

    private func read(_ names: MetricsNames) async throws {
        if names != fold.names {
            fold = MetricsFold(names: names)
            folded = 0
        }
        while true {
            let part = EventBasket()
            let last = try await answers.follow(after: folded, limit: Self.part) { part.put($0) }
            let events = part.events
            for event in events { fold.apply(event) }
            folded = max(folded, last)
            guard events.count == Self.part else { return }
        }
    }
}
