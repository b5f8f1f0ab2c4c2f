import RealModule

/// The inputs of the network at each step of a plan; functions of the sessions and the clock alone.
///
/// Some are the same for the whole plan (`constant`), the others differ by step. Counts and rates are mostly logarithms.
package struct Features {
    package static let stepCount = 37
    package static let constantCount = 19
    package static let count = stepCount + constantCount

    package let constant: [Float]
    /// `stepCount` values for each step.
    package let steps: [Float]

    /// For `count` quarter-hours from `from` on; `offset` gives local time in seconds east of UTC. From the quarter-hour
    /// `paired` on, two quarter-hours make one step, with the middle of both.
    ///
    /// `sessions` must not be empty, and `from` must not be before the latest of them.
    package init(
        _ sessions: Sessions, from: Int, count: Int, paired: Int = .max, offset: (Int) -> Int
    ) {
        let past = Past(sessions)
        let likeDays = LikeDays(past)
        constant = Self.constant(past, likeDays)
        var walk = Walk(past: past, likeDays: likeDays)
        let last = past.times[past.count - 1]
        // Sessions that were expected since the last one and did not come count too.
        var passed = (from - last) % 900
        while passed + 900 <= from - last {
            let middle = last + passed + 450
            walk.skip(middle: middle, clock: LocalClock(second: middle, offset: offset(middle)))
            passed += 900
        }
        let single = min(count, paired)
        let pairs = (count - single + 1) / 2
        steps = [Float](capacity: (single + pairs) * Self.stepCount) { steps in
            func tell(of quarters: Int, from first: Int) {
                let middle = from + first * 900 + quarters * 450
                walk.append(
                    elapsed: middle - 450 - last, middle: middle, quarters: quarters,
                    clock: LocalClock(second: middle, offset: offset(middle)), to: &steps)
            }
            for step in 0..<single { tell(of: 1, from: step) }
            for pair in 0..<pairs { tell(of: 2, from: single + 2 * pair) }
        }
    }

    static func logarithm(_ value: Float) -> Float { Float.log(value + 1e-4) }

    private static func constant(_ past: Past, _ likeDays: LikeDays) -> [Float] {
        let last = past.count - 1
        let today = past.clocks[last]
        var sums: (day3: Float, day10: Float, day40: Float, day80: Float) = (0, 0, 0, 0)
        var byTime = [Float](repeating: 0, count: LocalClock.slots)
        for index in 0...last {
            let slow = past.weights[index]
            let medium = slow * slow
            let quick = medium * medium
            sums.day80 += slow
            sums.day40 += medium
            sums.day10 += quick * quick
            sums.day3 += Float.exp2(-past.ages[index] / 3)
            byTime[past.clocks[index].slot] += medium
        }
        func rate(_ sum: Float, _ halfLife: Float) -> Float {
            logarithm(sum / (past.exposure(halfLife: halfLife) + 1))
        }
        // How concentrated the sessions are at the same times of day.
        let blurred = Kernel.crowding.circular(byTime)
        let total = blurred.reduce(0, +) + 1e-3
        let crowding = blurred.reduce(0) { $0 + $1 / total * $1 / total }

        var active14: Float = 0
        var active3: Float = 0
        var previousDay = Int.min
        for index in stride(from: last, through: 0, by: -1) {
            let day = past.clocks[index].day
            if today.day - day >= 14 { break }
            guard day != previousDay else { continue }
            previousDay = day
            active14 += 1
            if today.day - day < 3 { active3 += 1 }
        }
        var gaps: (sum: Float, squares: Float, count: Float) = (0, 0, 1e-3)
        for index in max(1, last - 60)..<max(1, last + 1) {
            gaps.sum += past.logGaps[index]
            gaps.squares += past.logGaps[index] * past.logGaps[index]
            gaps.count += 1
        }
        let mean = gaps.sum / gaps.count
        let deviation = Float.sqrt(max(gaps.squares / gaps.count - mean * mean, 0))
        let angle = Float(today.second) / 86400 * 2 * .pi
        func gap(_ back: Int) -> Float { last - back >= 1 ? past.logGaps[last - back] : 10 }
        return [
            rate(sums.day3, 3), rate(sums.day10, 10), rate(sums.day40, 40), rate(sums.day80, 80),
            gap(0), gap(1), gap(2), active14, Float.log(Float(past.count) + 1),
            Float.log((past.ages.first ?? 0) + 1), Float.log(crowding), Float(likeDays.sessionsToday),
            Float.sin(angle), Float.cos(angle), today.isWeekend ? 1 : 0, mean, deviation, active3,
            Float(today.second - likeDays.firstToday) / 3600,
        ]
    }
}

extension Kernel {
    fileprivate static let crowding = Kernel(gaussian: 3)
}
