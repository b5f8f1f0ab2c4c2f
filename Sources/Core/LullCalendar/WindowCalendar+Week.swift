package import LullModel

/// Windows in a week without a clock change, as most weeks are in any zone.
extension WindowCalendar {
    /// 1970-01-05, in UTC.
    private static let monday = WallTime(seconds: 4 * 86400)

    package init(week windows: [Window]) { self.init(windows: windows, zone: .utc) }

    /// A minute of the week, from Monday's midnight on.
    package static func time(ofMinute minute: Int) -> WallTime { monday + .minutes(minute) }

    /// Whether the windows are always open, also for a task without windows.
    package var neverCloses: Bool { firstClosing == nil }

    private var firstClosing: WallTime? { opening(from: Self.monday).flatMap { closing(after: $0) } }

    /// Whether they are open at an instant, or at some time within `more` after it.
    package func isOpen(at time: WallTime, within more: Duration) -> Bool {
        opening(from: time).map { $0 <= time + more } ?? false
    }

    /// The longest span of a week in which they are closed; nil: they never are.
    package var longestClosure: Range<WallTime>? {
        guard let first = firstClosing else { return nil }
        var from = first
        return spans(from: first, until: first + .days(7))
            .map { span in
                defer { from = span.upperBound }
                return from..<span.lowerBound
            }
            .max { $0.upperBound - $0.lowerBound < $1.upperBound - $1.lowerBound }
    }

    /// An upper bound on how often a task can begin in a week if its runs begin `apart` from each other.
    package func mostRuns(apart: Duration) -> Int {
        let milliseconds = max(1000, apart.milliseconds)
        let first = firstClosing ?? Self.monday
        return spans(from: first, until: first + .days(7)).reduce(0) { sum, span in
            sum + Int(((span.upperBound - span.lowerBound).milliseconds + milliseconds - 1) / milliseconds)
        }
    }
}
