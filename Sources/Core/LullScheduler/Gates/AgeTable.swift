import LullForecast
import LullModel
import RealModule

/// The recursion of `RefreshPlan` where every minute of age counts: the objectives `staleness` and `both`.
struct AgeTable {
    /// The costs of a use by the age of the data it finds, in steps.
    private let costs: [Float]
    /// What is left to pay when the plan ends, by the age then.
    private let ends: [Float]
    private let price: Float
    /// Launches lie at least so many steps apart.
    private let gap: Int
    private var ages: Int { costs.count }

    /// The next use is seldom the last of its burst. Fresh data serves the following uses too, and spares this share of
    /// a later launch: the more, the older the data would be.
    private static let spared: Float = 0.5
    private static let sparedWithin: Float = 1.5
    /// The app goes on after the plan's end: data as old as this still costs half a launch then, and younger data less.
    private static let oldAtEnd: Float = 12

    init(_ question: RefreshPlan.Question, seconds: Int) {
        func steps(_ span: Duration) -> Int {
            max(1, (Int(span.milliseconds / 1000) + seconds - 1) / seconds)
        }
        let fresh = max(1, Int(question.fresh.milliseconds / 1000) / seconds)
        gap = min(steps(question.gap), steps(RefreshPlan.oldest))
        let price = Float(question.price)
        self.price = price
        let bonus = question.objective == .both ? RefreshPlan.bonus : 0
        let ages = (0...steps(RefreshPlan.oldest)).map { (Float($0) + 0.5) * Float(seconds) / 3600 }
        ends = ages.map { price * min(1, $0 / Self.oldAtEnd) / 2 }
        costs = ages.enumerated().map { age, hours in
            hours - (age < fresh ? bonus : 0)
                + Self.spared * price * (1 - Float.exp(-hours / Self.sparedWithin))
        }
    }

    /// The steps to launch in; the data is `age` steps old at the first. Launches are possible in the first `open`
    /// steps.
    func launches(_ rates: [Float], open: Int, age: Int) -> [Int] {
        var age = age
        var launches: [Int] = []
        for (step, threshold) in thresholds(rates, open: open).enumerated() {
            if min(age, ages - 1) >= threshold {
                launches.append(step)
                age = 0
            }
            age += 1
        }
        return launches
    }

    /// For each step, the age from which the data is replaced; the number of ages: never.
    private func thresholds(_ rates: [Float], open: Int) -> [Int] {
        let oldest = ages - 1
        // Once the app is idle, nothing is left to pay.
        var values = open < rates.count ? [Float](repeating: 0, count: ages) : ends
        var thresholds = [Int](repeating: ages, count: rates.count)
        for step in stride(from: rates.count - 1, through: 0, by: -1) {
            let none = Float.exp(-rates[step])
            let hazard = 1 - none
            let launching =
                step < open ? price + hazard * costs[0] + none * values[min(1, oldest)] : .infinity
            let kept = values[oldest]
            // As wide as a float, so that the vectorized loop counts both in the same lanes.
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
