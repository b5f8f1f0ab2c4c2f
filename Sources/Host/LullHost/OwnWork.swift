import LullModel

/// When an app's own tasks may touch its files, which does not count as use.
struct OwnWork: Equatable {
    /// After a start or an end the worker may still open or close files.
    static let settling: Duration = .seconds(10)

    private var runs: [AppIdentifier: Int] = [:]
    private var settled: [AppIdentifier: MonotonicTime] = [:]

    /// The app's worker was started, woken or sent away.
    mutating func touched(_ app: AppIdentifier, at now: MonotonicTime) { settled[app] = now + Self.settling }

    mutating func began(_ app: AppIdentifier) { runs[app, default: 0] += 1 }

    mutating func ended(_ app: AppIdentifier, at now: MonotonicTime) {
        runs[app] = runs[app].flatMap { $0 > 1 ? $0 - 1 : nil }
        touched(app, at: now)
    }

    func isGoingOn(_ app: AppIdentifier, at now: MonotonicTime) -> Bool {
        runs[app] != nil || settled[app].map { now < $0 } ?? false
    }
}
