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
/// and the second is taken when it is less: R. Bellman, *Dynamic Programming*, 1957. Old data is worth less at every step, so for each
/// step there is an age from which on it is to be replaced.
struct RefreshPlan {
    let launches: [PlannedLaunch]

    /// For how long what a launch brought counts as fresh.
    static let fresh: Duration = .minutes(60)
    /// A use that comes while the launch is under way is not served by it.
    static let lead: Duration = .zero
    static let horizon: Duration = .hours(48)
    /// No data counts as older than this.
    static let oldest: Duration = .hours(24)
    /// What a fresh hit is worth beside the mean age, for the objective `both`, in hours of age.
    static let bonus: Float = 4

    struct Question {
        var hazards: Hazards
        var objective: Objective
        /// Hits for `hits`, hours of age for the others.
        var price: Double
        /// The least gap between two launches.
        var gap: Duration
        var fresh: Duration = RefreshPlan.fresh
        /// When what is there now was launched.
        var lastFresh: WallTime?
        /// For `run --once`: launches can only be at passes, this far apart.
        var passInterval: Duration?
    }

    init(_ question: Question) {
        let least: Duration = question.objective == .hits ? .minutes(5) : .minutes(10)
        let step = max(least, question.passInterval ?? .zero)
        let seconds = max(60, Int(step.milliseconds / 1000))
        let hazards = question.hazards.resampled(
            step: seconds, count: Int(Self.horizon.milliseconds / 1000) / seconds)
        let table = Table(question, seconds: seconds)
        let thresholds = table.thresholds(hazards)

        let start = question.hazards.from
        var age =
            question.lastFresh.map { last in
                last <= start ? Int((start - last).milliseconds / 1000) / seconds : Int.max / 2
            } ?? Int.max / 2
        var launches: [PlannedLaunch] = []
        for (index, threshold) in thresholds.enumerated() {
            if min(age, table.ages - 1) >= threshold {
                let time = start + .seconds(index * seconds)
                let until = time + max(question.fresh, step)
                launches.append(
                    PlannedLaunch(
                        time: time,
                        chance: question.hazards.probability(from: time - start, to: until - start)))
                age = 0
            }
            age += 1
        }
        self.launches = launches
    }

    /// Quarter-hours of the wall clock.
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

extension RefreshPlan {
    /// The costs of a use by the age of the data it finds, in steps.
    private struct Table {
        let costs: [Float]
        let price: Float
        /// Launches lie at least so many steps apart.
        let gap: Int
        var ages: Int { costs.count }

        init(_ question: Question, seconds: Int) {
            func steps(_ span: Duration) -> Int {
                max(1, (Int(span.milliseconds / 1000) + seconds - 1) / seconds)
            }
            let fresh = max(1, Int(question.fresh.milliseconds / 1000) / seconds)
            gap = min(steps(question.gap), steps(RefreshPlan.oldest))
            price = Float(question.price)
            let hours = Float(seconds) / 3600
            switch question.objective {
            case .hits:
                costs = (0...max(fresh, gap)).map { $0 < fresh ? -1 : 0 }
            case .staleness, .both:
                let bonus = question.objective == .both ? RefreshPlan.bonus : 0
                costs = (0...steps(RefreshPlan.oldest)).map { age in
                    (Float(age) + 0.5) * hours - (age < fresh ? bonus : 0)
                }
            }
        }

        /// The age from which on the data is replaced, for each step; as many as there are ages: never.
        func thresholds(_ hazards: [Float]) -> [Int] {
            let oldest = ages - 1
            var values = [Float](repeating: 0, count: ages)
            var thresholds = [Int](repeating: ages, count: hazards.count)
            for step in stride(from: hazards.count - 1, through: 0, by: -1) {
                let hazard = hazards[step]
                let none = 1 - hazard
                let launching = price + hazard * costs[0] + none * values[min(1, oldest)]
                let kept = values[oldest]
                // As wide as a float, so that both are counted in the same lanes.
                var young = Int32(gap)
                values.withUnsafeMutableBufferPointer { values in
                    costs.withUnsafeBufferPointer { costs in
                        for age in 0..<min(gap, oldest) {
                            values[age] = hazard * costs[age] + none * values[age + 1]
                        }
                        for age in min(gap, oldest)..<oldest {
                            let waiting = hazard * costs[age] + none * values[age + 1]
                            young &+= waiting <= launching ? 1 : 0
                            values[age] = waiting < launching ? waiting : launching
                        }
                        let waiting = hazard * costs[oldest] + none * kept
                        young &+= waiting <= launching ? 1 : 0
                        values[oldest] = waiting < launching ? waiting : launching
                    }
                }
                thresholds[step] = Int(young)
            }
            return thresholds
        }
    }
}
