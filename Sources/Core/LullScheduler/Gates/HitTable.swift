import LullForecast
import LullModel
import RealModule

/// The recursion of `RefreshPlan` for the objective `hits`, where data is fresh or it is not.
///
/// Fresh data is never replaced: the same launch made as it ceases to be fresh serves all that it would have, and for longer. So
/// with data that is stale, and launches at least `s` steps apart, no step needs to know an age:
///
///     W(j) = max( (1 − h(j))·W(j+1),  P(use in [j, j + fresh)) − p + P(none in [j, j + s))·W(j+s) )
struct HitTable {
    /// Whether stale data is replaced, for each step.
    private let launches: [Bool]
    /// From a launch until the next can pay, in steps.
    private let spacing: Int

    /// - Parameters:
    ///   - rates: the uses expected in each step.
    ///   - open: launches are possible in the first so many steps.
    init(_ question: RefreshPlan.Question, rates: [Float], seconds: Int, open: Int) {
        let fresh = max(1, Int(question.fresh.milliseconds / 1000) / seconds)
        let gap = (Int(question.gap.milliseconds / 1000) + seconds - 1) / seconds
        let spacing = max(fresh, min(gap, rates.count + 1))
        let price = Float(question.price)
        // The uses expected before each step.
        var sums: [Float] = [0]
        sums.reserveCapacity(rates.count + 1)
        var sum: Float = 0
        for rate in rates {
            sum += rate
            sums.append(sum)
        }
        var launches = [Bool](repeating: false, count: rates.count)
        var values = [Float](repeating: 0, count: rates.count + 1)
        for step in stride(from: rates.count - 1, through: 0, by: -1) {
            let waiting = Self.none(rates[step]) * values[step + 1]
            values[step] = waiting
            let next = min(rates.count, step + spacing)
            let served = sums[min(rates.count, step + fresh)] - sums[step]
            // 1 - e^-x is less than x: most steps are settled without it.
            guard step < open, served - price + values[next] > waiting else { continue }
            let none = Float.exp(-served)
            let noneUntilNext = spacing == fresh ? none : Float.exp(sums[step] - sums[next])
            let launching = 1 - none - price + noneUntilNext * values[next]
            guard launching > waiting else { continue }
            launches[step] = true
            values[step] = launching
        }
        self.launches = launches
        self.spacing = spacing
    }

    /// The steps to launch in, the data being of `age` steps at the first.
    func launches(age: Int) -> [Int] {
        var steps: [Int] = []
        var step = max(0, spacing - age)
        while step < launches.count {
            guard launches[step] else {
                step += 1
                continue
            }
            steps.append(step)
            step += spacing
        }
        return steps
    }

    /// e^-x; within a minute hardly anything is expected, and a few terms are exact.
    private static func none(_ rate: Float) -> Float {
        rate < 0.02 ? 1 - rate * (1 - rate * (0.5 - rate / 6)) : Float.exp(-rate)
    }
}
