import RealModule

/// The time until the next session: after any session, after one that followed a similar gap, and after one at a similar
/// time of day.
struct Gaps {
    static let bins = 28
    /// The quarter-hours for which gaps after similar times of day are counted one by one: two days.
    static let reach = 192

    /// The hazard in each logarithmic bin of the gap.
    let any: [Float]
    let afterLikeGap: [Float]
    /// The weight of the gaps that end in each quarter-hour, blurred, and of those that last at least until it.
    let ends: [Float]
    let lasting: [Float]

    private static let blur = Kernel(triangle: 3)
    /// The weights of the gaps, the latest first, with a half-life of 150 sessions.
    private static let weights = (0..<Sessions.capacity).map { Float.exp2(-Float($0) / 150) }
    /// The number of quarter-hours in each bin.
    private static let widths: [Float] = {
        var widths = [Float](repeating: 0, count: bins + 1)
        for step in 0..<672 { widths[min(bin(ofGap: step * 900), bins - 1)] += 1 }
        return widths.map { max($0, 1) }
    }()

    /// Equal bins of the logarithm from a quarter-hour to a week.
    static func bin(ofGap seconds: Int) -> Int {
        let ratio = Float.log(Float(max(seconds, 900)) / 900) / Float.log(604_800 / 900)
        return min(Int(ratio * Float(bins)), bins)
    }

    static let binOfStep: [Int] = (0..<672).map { min(bin(ofGap: $0 * 900), bins - 1) }

    init(_ past: Past) {
        var any = [Float](repeating: 0, count: Self.bins + 1)
        var like = any
        var ends = [Float](repeating: 0, count: Self.reach)
        var beyond: Float = 0
        let last = past.count - 1
        for index in 0..<max(last, 0) {
            let gap = past.times[index + 1] - past.times[index]
            let bin = Self.bin(ofGap: gap)
            let weight = Self.weights[last - 1 - index]
            any[bin] += weight
            let likeness = Float.exp(-abs(past.logGaps[index] - past.logGaps[last]) * 0.6)
            like[bin] += weight * likeness
            var apart = abs(past.clocks[index].second - past.clocks[last].second)
            if apart > 43200 { apart = 86400 - apart }
            let hours = Float(apart) / 4500
            guard hours < 4 else { continue }
            let sameSort = past.clocks[index].isWeekend == past.clocks[last].isWeekend
            let share =
                past.weights[index] * Float.exp(-0.5 * hours * hours) * (sameSort ? 1 : 0.35)
                * (0.3 + likeness)
            let step = gap / 900
            if step < Self.reach { ends[step] += share } else { beyond += share }
        }
        self.any = Self.hazard(any)
        afterLikeGap = Self.hazard(like)
        let blurred = Self.blur.line(ends)
        var lasting = [Float](repeating: 0, count: Self.reach)
        var sum = beyond
        for step in stride(from: Self.reach - 1, through: 0, by: -1) {
            sum += blurred[step]
            lasting[step] = sum
        }
        self.ends = blurred
        self.lasting = lasting
    }

    private static func hazard(_ counts: [Float]) -> [Float] {
        var left = counts.reduce(0, +) + Float(counts.count) * 0.15
        return (0..<bins).map { bin in
            defer { left -= counts[bin] + 0.15 }
            return (counts[bin] + 0.25) / (left + 1) / widths[bin]
        }
    }
}
