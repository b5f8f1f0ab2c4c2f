import LullModel

/// When the history is looked at as a whole: once a week, and not in a service's first hour.
struct ExaminationTimes {
    private var due: WallTime

    static let span: Duration = .days(7)
    static let first: Duration = .hours(1)
    /// For so long it is told what was found.
    static let tellingSpan: Duration = .days(30)

    /// `last`: nil where it never was.
    init(last: WallTime?, start: WallTime, isPass: Bool = false) {
        due = max(last.map { $0 + Self.span } ?? .distantPast, isPass ? .distantPast : start + Self.first)
    }

    /// Also when the clock was set back so far that it would be waited for longer than a week.
    func isDue(at time: WallTime) -> Bool { time >= due || due - time > Self.span }

    mutating func looked(at time: WallTime) { due = time + Self.span }

    mutating func postpone(at time: WallTime) { due = time + .days(1) }
}
