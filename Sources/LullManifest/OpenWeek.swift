import LullModel

/// When windows are open in a week in which no clock is changed, in minutes from Monday's midnight on.
struct OpenWeek {
    static let minutes = 7 * 1440

    /// In order, with closed time between each and the next; the last may pass the week's end.
    let spans: [Range<Int>]

    init(_ windows: [Window]) {
        var found: [Range<Int>] = []
        for window in windows {
            let length =
                window.closes > window.opens
                ? window.closes - window.opens : window.closes + 1440 - window.opens
            for day in 0..<7 where window.days.isEmpty || window.days.contains(day) {
                let start = day * 1440 + window.opens
                found.append(start..<start + length)
            }
        }
        var spans: [Range<Int>] = []
        for span in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = spans.last, span.lowerBound <= last.upperBound {
                spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
            } else {
                spans.append(span)
            }
        }
        // What passes the week's end goes on into its beginning.
        while spans.count > 1, let first = spans.first, let last = spans.last,
            first.lowerBound + Self.minutes <= last.upperBound
        {
            spans.removeFirst()
            spans[spans.count - 1] =
                last.lowerBound..<max(last.upperBound, first.upperBound + Self.minutes)
        }
        self.spans = spans
    }

    /// Always, for a task without windows too.
    var neverCloses: Bool { spans.isEmpty || spans[0].count >= Self.minutes }

    /// Whether they are open at a minute, or at some time in so many minutes after it.
    func isOpen(at minute: Int, within more: Int = 0) -> Bool {
        neverCloses || more >= Self.minutes
            || spans.contains { span in
                [-Self.minutes, 0, Self.minutes].contains { shift in
                    span.lowerBound + shift <= minute + more && minute < span.upperBound + shift
                }
            }
    }

    /// For how long they stay closed from a minute of the week on, at which they are.
    func wait(from minute: Int) -> Int {
        spans.map { (($0.lowerBound - minute) % Self.minutes + Self.minutes) % Self.minutes }.min() ?? 0
    }

    /// From which minute of the week on they are closed for longest, and for how long; nil: they never close.
    var longestClosure: (from: Int, minutes: Int)? {
        guard !neverCloses else { return nil }
        return spans.map { span in
            let from = span.upperBound % Self.minutes
            return (from, wait(from: from))
        }.max { $0.minutes < $1.minutes }
    }

    /// How often they let a task begin in a week whose runs begin so far apart; no more than that.
    func mostRuns(apart: Duration) -> Int {
        let seconds = max(1, Int(apart.components.seconds))
        return spans.reduce(0) { $0 + ($1.count * 60 + seconds - 1) / seconds }
    }

    /// `Mon 05:00`.
    static func text(_ minute: Int) -> String {
        let minute = minute % minutes
        return "\(WindowText.days[minute / 1440]) \(time(minute % 1440))"
    }

    static func time(_ minute: Int) -> String {
        [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
    }
}
