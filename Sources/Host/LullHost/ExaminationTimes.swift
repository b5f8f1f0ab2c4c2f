import LullModel

/// When the whole history is examined: once a week, and not in a service's first hour.
struct ExaminationTimes {
    private var due: WallTime

    static let span: Duration = .days(7)
    static let first: Duration = .hours(1)
    /// For how long a finding is shown.
    static let tellingSpan: Duration = .days(30)

    /// `last`: the last examination; nil: there was none.
    init(last: WallTime?, start: WallTime, isPass: Bool = false) {
        due = max(last.map { $0 + Self.span } ?? .distantPast, isPass ? .distantPast : start + Self.first)
    }

    /// Also true if the clock was set back so far that the wait would exceed a week.
    func isDue(at time: WallTime) -> Bool { time >= due || due - time > Self.span }

    mutating func looked(at time: WallTime) { due = time + Self.span }

    mutating func postpone(at time: WallTime) { due = time + .days(1) }
}
