import LullModel

/// When a host looks for records that it has kept long enough: soon after its start, and at least once a day.
struct RetentionTimes {
    /// Nil: never.
    private(set) var due: WallTime?

    static let first: Duration = .hours(1)
    static let span: Duration = .days(1)

    init() {}

    /// Not at once: a host that has just started has other things to do.
    init(start: WallTime) { due = start + Self.first }

    /// Also true if the clock was set back so far that the wait would exceed a day.
    func isDue(at time: WallTime) -> Bool {
        guard let due else { return false }
        return time >= due || due - time > Self.span
    }

    /// `hasMore`: a part of what is old enough has been deleted, and the next part may go soon.
    mutating func looked(at time: WallTime, hasMore: Bool = false) {
        if due != nil { due = time + (hasMore ? Self.first : Self.span) }
    }
}
