import LullForecast
import LullModel

/// The best moments of the next day for refreshing an app, by dynamic programming over its forecast.
///
/// A launch at t is worth c(t) = P(use in [t + 2 min, t + 60 min)), without what the last launch keeps fresh:
/// it takes a while, and what it brings is fresh for an hour. It costs the price, and launches lie at least
/// `spacing` apart. With W(k) the best that can be had from the k-th moment on, W(k) = max(W(k+1), c(k) −
/// price + W(k + spacing)). The task is launched now when no plan without that is better: so it waits while a
/// use becomes likelier, and is launched shortly before.
struct RefreshPlan {
    /// c(now).
    let value: Double
    let isNow: Bool
    /// When the plan launches next; nil: not within the horizon.
    let next: WallTime?

    static let fresh: Duration = .minutes(60)
    /// A use that comes while the launch is under way is not served by it.
    static let lead: Duration = .minutes(2)
    static let step: Duration = .minutes(15)
    static let horizon: Duration = .hours(24)

    struct Question {
        var forecast: UsageForecast
        var zone: Zone
        var price: Double
        /// The least gap between two launches.
        var gap: Duration
        /// The launch whose data is there now.
        var lastFresh: WallTime?
        /// For `run --once`: launches can only be at passes, this far apart.
        var passInterval: Duration?
    }

    init(_ question: Question, at now: WallTime) {
        let fresh = max(Self.fresh, question.passInterval ?? .zero)
        let step = max(Self.step, question.passInterval ?? .zero)
        let first = question.passInterval == nil ? Self.gridPoint(after: now) : now + step
        let count = max(1, Int(Self.horizon.milliseconds / step.milliseconds))
        let spacing = max(fresh, question.gap)
        let staleFrom = question.lastFresh.map { $0 + fresh } ?? now

        func worth(_ time: WallTime) -> Double {
            let from = max(time + Self.lead, staleFrom)
            let span = time + fresh - from
            guard span > .zero else { return 0 }
            return question.forecast.probability(
                ofUseWithin: span, from: from, zone: question.zone, known: now)
        }
        func moment(_ index: Int) -> WallTime { first + step * index }
        /// The first moment at least `spacing` after `time`.
        func index(after time: WallTime) -> Int {
            let distance = (time + spacing - first).milliseconds
            guard distance > 0 else { return 0 }
            return Int(min(Int64(count), (distance + step.milliseconds - 1) / step.milliseconds))
        }

        var best = [Double](repeating: 0, count: count + 1)
        var planned: WallTime?
        for place in stride(from: count - 1, through: 0, by: -1) {
            let worth = worth(moment(place))
            let launching = worth - question.price + best[index(after: moment(place))]
            if worth >= question.price && launching >= best[place + 1] {
                best[place] = launching
                planned = moment(place)
            } else {
                best[place] = best[place + 1]
            }
        }
        value = worth(now)
        isNow = value >= question.price && value - question.price + best[index(after: now)] >= best[0]
        next = planned
    }

    /// Moments lie on the quarter-hours of the wall clock.
    static func gridPoint(after time: WallTime) -> WallTime {
        WallTime(milliseconds: (Spending.index(of: time) + 1) * Spending.quarter)
    }
}
