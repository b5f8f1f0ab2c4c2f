import LullModel

/// How often an app has processing launched that its plugin asks for: as many as a day's budget at once, of which each comes
/// back after its share of the day.
///
/// An app that submits itself again from each run would otherwise run without end, where Apple's system would run it a few
/// times a day. In the long run it is launched as often a day as its budget says.
struct AskedPace: Sendable, Equatable, Codable {
    private static let day: Duration = .days(1)

    /// When all have come back, by the budget of the last launch.
    private var whole: WallTime

    init(launchAt time: WallTime, perDay budget: Double) { whole = time + Self.gap(budget) }

    mutating func note(launchAt time: WallTime, perDay budget: Double) {
        // More than all can't be on their way: the clock was set back, or the budget was another.
        let left = min(max(whole - time, .zero), Self.span(budget) - Self.gap(budget))
        whole = time + left + Self.gap(budget)
    }

    /// When the next may be launched; nil: now.
    func opening(at now: WallTime, perDay budget: Double) -> WallTime? {
        let left = whole - now
        let most = Self.span(budget) - Self.gap(budget)
        guard left > most, left <= Self.span(budget) else { return nil }
        return now + (left - most)
    }

    private static func gap(_ budget: Double) -> Duration {
        .milliseconds(Int64((Double(day.milliseconds) / max(budget, 0.001)).rounded()))
    }

    /// In which all come back.
    private static func span(_ budget: Double) -> Duration { gap(budget) * max(1, Int(budget)) }
}
