import Glibc
import LullHistory
import LullModel
import LullSystem

/// Reading the history beside the loop, one question at a time and in order: a lock or a disk may keep a reader waiting.
final class HistoryReads {
    private let history: SQLiteHistory
    private let blocking: BlockingExecutor
    private var waiting: [() -> Void] = []
    private var isReading = false
    /// Called when an answer has been given.
    var answered: () -> Void = {}

    init(_ history: SQLiteHistory, _ blocking: BlockingExecutor) {
        self.history = history
        self.blocking = blocking
    }

    var isQuiet: Bool { !isReading && waiting.isEmpty }

    /// Calls `then` on the loop, once: with what was found or why not, or with nil when it took longer than `limit`.
    func run<Found: Sendable>(
        within limit: Duration, _ read: @escaping @Sendable (SQLiteHistory) throws(HistoryError) -> Found,
        then: @escaping (Result<Found, HistoryError>?) -> Void
    ) {
        let history = history
        waiting.append { [unowned self] in
            blocking.run(within: limit) {
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

    /// Repeats a read while another process holds the history's lock. SQLite gives up after a few seconds; this does at
    /// `limit`, with SQLite's last error.
    static func withTimeout<Found>(
        until limit: MonotonicTime, _ read: () throws(HistoryError) -> Found
    ) throws(HistoryError) -> Found {
        while true {
            do throws(HistoryError) {
                return try read()
            } catch .busy where Clock.monotonic < limit {
                // Not at once: SQLite does not always wait itself.
                poll(nil, 0, 50)
            }
        }
    }

    private func goOn() {
        guard !isReading, !waiting.isEmpty else { return }
        isReading = true
        waiting.removeFirst()()
    }
}
