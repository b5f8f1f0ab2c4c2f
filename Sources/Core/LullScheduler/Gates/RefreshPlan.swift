import LullForecast
import LullModel

/// The launches of the next two days that are worth their price, by dynamic programming over the hazard of the next use.
///
/// Until the app is used nothing new becomes known of it, so after each use one plan suffices. Let `h(j)` be the
/// probability that the next use begins in step `j` if it has not begun before, `c(a)` what a use costs that finds data of
/// the age `a`, and `p` the price of a launch. Then the least expected cost from step `j` on, with data of the age `a`, is
///
///     V(j, a) = min( h(j)·c(a) + (1 − h(j))·V(j+1, a+1),  p + h(j)·c(0) + (1 − h(j))·V(j+1, 1) )
///
/// and the second is taken when it is less: R. Bellman, *Dynamic Programming*, 1957. Old data is worth less at every
/// step, so for each step there is an age from which on it is to be replaced.
struct RefreshPlan {
    let launches: [PlannedLaunch]

    /// How long the data of a launch counts as fresh.
    static let fresh: Duration = .minutes(60)
    /// A use that comes while the launch is under way is not served by it.
    static let lead: Duration = .zero
    static let horizon: Duration = .hours(48)
    /// No data counts as older than this.
    static let oldest: Duration = .hours(24)
    /// The worth of a fresh hit beside the mean age, for the objective `both`, in hours of age.
    static let bonus: Float = 4

    struct Question {
        var hazards: Hazards
        var objective: Objective
        /// Hits for `hits`, hours of age for the others.
        var price: Double
        /// The least gap between two launches.
        var gap: Duration
        var fresh: Duration = RefreshPlan.fresh
        /// When the run that brought the current data was launched.
        var lastFresh: WallTime?
        /// The last moment at which the app is not idle, unless it is used: none is launched after it.
        var until: WallTime?
        /// For `run --once`: launches can only be at passes, this far apart.
        var passInterval: Duration?
    }

    init(_ question: Question) {
        let least: Duration =
            switch question.objective {
            case .hits: .minutes(1)
            case .staleness: .minutes(5)
            case .both: .minutes(10)
            }
        let step = max(least, question.passInterval ?? .zero)
        let seconds = max(60, Int(step.milliseconds / 1000))
        let rates = question.hazards.rates(
            step: seconds, count: Int(Self.horizon.milliseconds / 1000) / seconds)
        let start = question.hazards.from
        // How many steps begin before the app becomes idle.
        let open =
            question.until.map { until in
                until < start ? 0 : Int((until - start).milliseconds / 1000) / seconds + 1
            } ?? .max
        let age =
            question.lastFresh.map { last in
                last <= start ? Int((start - last).milliseconds / 1000) / seconds : Int.max / 2
            } ?? Int.max / 2
        let steps =
            question.objective == .hits
            ? HitTable(question, rates: rates, seconds: seconds, open: open).launches(age: age)
            : AgeTable(question, seconds: seconds).launches(rates, open: open, age: age)
        let survival = Survival(question.hazards)
        launches = steps.map { index in
            let time = start + .seconds(index * seconds)
            let until = time + max(question.fresh, step)
            return PlannedLaunch(
                time: time,
                chance: survival.probability(from: time - start, to: until - start))
        }
    }

    /// The next quarter-hour of the wall clock.
    static func gridPoint(after time: WallTime) -> WallTime {
        WallTime(milliseconds: (Spending.index(of: time) + 1) * Spending.quarter)
    }
}

/// A launch that is to be made unless the app is used before.
struct PlannedLaunch: Sendable, Equatable {
    let time: WallTime
    /// P(the next use begins while what it brings is fresh | none before the launch).
    let chance: Double
}
