import LullModel

/// Limits the processing that an app's plugin asks for: a token bucket that holds a day's budget and is refilled evenly
/// over the day.
///
/// An app that submits itself again from each run would otherwise run without end, where Apple's system would run it a few
/// times a day. In the long run it is launched as often a day as its budget says.
struct AskedPace: Sendable, Equatable, Codable {
    private static let day: Duration = .days(1)

    /// When the bucket is full again, by the budget of the last launch.
    private var whole: WallTime
    private var perDay: Double

    init(launchAt time: WallTime, perDay budget: Double) {
        whole = time + Self.gap(budget)
        perDay = budget
    }

    mutating func note(launchAt time: WallTime, perDay budget: Double) {
        let left = min(left(at: time, perDay: budget) ?? .zero, Self.span(budget) - Self.gap(budget))
        whole = time + left + Self.gap(budget)
        perDay = budget
    }

    /// When the next may be launched; nil: now. The time stays the same while the task waits.
    func opening(at now: WallTime, perDay budget: Double) -> WallTime? {
        guard left(at: now, perDay: budget) != nil else { return nil }
        let most =
            Double((Self.span(budget) - Self.gap(budget)).milliseconds) * max(budget, 0.001)
            / max(perDay, 0.001)
        let time = whole - .milliseconds(Int64(most.rounded()))
        return time > now ? time : nil
    }

    /// How long until the bucket is full, by this budget; nil: longer than an empty bucket takes, for the clock was set
    /// back.
    private func left(at now: WallTime, perDay budget: Double) -> Duration? {
        let left = max(whole - now, .zero)
        guard left <= Self.span(perDay) else { return nil }
        guard perDay != budget else { return left }
        return .milliseconds(Int64((Double(left.milliseconds) * perDay / max(budget, 0.001)).rounded()))
    }

    private static func gap(_ budget: Double) -> Duration {
        .milliseconds(Int64((Double(day.milliseconds) / max(budget, 0.001)).rounded()))
    }

    /// How long an empty bucket takes to fill.
    private static func span(_ budget: Double) -> Duration { gap(budget) * max(1, Int(budget)) }
}
