import LullModel

/// Limits the lines of each app in the host's log: a flood would cost other apps' lines, for the log's service drops
/// lines that come too fast.
///
/// The lines of a run stay in its output.
struct LogAllowance {
    static let lines = 100
    static let span = Duration.seconds(60)

    struct Answer: Equatable {
        /// The line goes into the log.
        var isTaken: Bool
        /// How many lines before it were left out and not reported yet.
        var leftOut: Int
    }

    private struct Minute {
        var since: MonotonicTime
        var taken = 0
        var leftOut = 0
    }

    private var minutes: [AppIdentifier: Minute] = [:]

    /// Whether a line of an app's goes into the log at this time.
    mutating func take(_ app: AppIdentifier, at now: MonotonicTime) -> Answer {
        var minute = minutes[app] ?? Minute(since: now)
        var leftOut = 0
        if now - minute.since >= Self.span {
            leftOut = minute.leftOut
            minute = Minute(since: now)
        }
        let isTaken = minute.taken < Self.lines
        if isTaken { minute.taken += 1 } else { minute.leftOut += 1 }
        minutes[app] = minute
        return Answer(isTaken: isTaken, leftOut: leftOut)
    }

    /// Called when the app is at rest. Returns how many lines were left out and not reported yet.
    mutating func rest(_ app: AppIdentifier) -> Int {
        guard let leftOut = minutes[app]?.leftOut, leftOut > 0 else { return 0 }
        minutes[app]?.leftOut = 0
        return leftOut
    }

    /// Nil when none were.
    static func sentence(_ app: AppIdentifier, _ leftOut: Int) -> String? {
        guard leftOut > 0 else { return nil }
        let count = leftOut == 1 ? "1 more line" : "\(leftOut) more lines"
        return
            "\(app): logged \(count), left out here: the log takes \(lines) a minute of each app. Those of a run are in "
            + "its output: `lull history RUN`."
    }
}
