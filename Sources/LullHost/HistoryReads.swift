import LullHistory

/// Reading the history beside the loop, one question at a time and in order: a lock or a disk may keep a reader waiting.
final class HistoryReads {
    private let history: SQLiteHistory
    private let errands: Errands
    private var waiting: [() -> Void] = []
    private var isReading = false
    /// Called when an answer has been given.
    var answered: () -> Void = {}

    init(_ history: SQLiteHistory, _ errands: Errands) {
        self.history = history
        self.errands = errands
    }

    var isQuiet: Bool { !isReading && waiting.isEmpty }

    /// Calls `then` on the loop, once: with what was found or why not, or with nil when it took longer than `limit`.
    func run<Found: Sendable>(
        within limit: Duration, _ read: @escaping @Sendable (SQLiteHistory) throws(HistoryError) -> Found,
        then: @escaping (Result<Found, HistoryError>?) -> Void
    ) {
        let history = history
        waiting.append { [unowned self] in
            errands.run(within: limit) {
                Result { () throws(HistoryError) in try read(history) }
            } then: { [unowned self] found in
                isReading = false
                then(found)
                goOn()
                answered()
            }
        }
        goOn()
    }

    private func goOn() {
        guard !isReading, !waiting.isEmpty else { return }
        isReading = true
        waiting.removeFirst()()
    }
}
