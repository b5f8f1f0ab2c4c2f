import RealModule

/// The past sessions for a plan, each with its local time, age and weight.
///
/// Ages are in *live* days: a gap between two sessions counts as a week at most, so that a habit outlasts a holiday.
struct Past {
    static let longestGap = 7 * 86400

    let count: Int
    let times: [Int]
    let clocks: [LocalClock]
    /// Live days before the latest session.
    let ages: [Float]
    /// 2^(-age/80 days).
    let weights: [Float]
    /// The logarithm of the gap before each session, in seconds and at least a quarter-hour; `e^10` before the first.
    let logGaps: [Float]

    init(_ sessions: Sessions) {
        count = sessions.count
        times = sessions.starts.map(Int.init)
        clocks = zip(times, sessions.offsets).map { LocalClock(second: $0, offset: Int($1) * 900) }
        var ages = [Float](repeating: 0, count: count)
        var logGaps = [Float](repeating: 10, count: count)
        var age = 0
        for index in stride(from: count - 1, through: 0, by: -1) {
            ages[index] = Float(age) / 86400
            guard index > 0 else { break }
            let gap = times[index] - times[index - 1]
            logGaps[index] = Float.log(Float(max(gap, 900)))
            age += min(gap, Self.longestGap)
        }
        self.ages = ages
        self.logGaps = logGaps
        weights = ages.map { Float.exp2(-$0 / 80) }
    }

    /// The total weight of the past days, by which counts are divided; one day at least.
    func exposure(halfLife: Float) -> Float {
        let span = ages.first ?? 0
        return max(halfLife / 0.6931472 * (1 - Float.exp2(-span / halfLife)), 1)
    }

    /// The number of sessions before `second`.
    func index(before second: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < second { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
