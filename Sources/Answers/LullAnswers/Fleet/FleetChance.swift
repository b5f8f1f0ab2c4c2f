/// When any of several hosts will likely have run a task: the hosts' own outlooks combined.
///
/// A host reports the times by which it has run the task with probabilities of 50 % and 90 %. From now to the first time and
/// between the two its hazard is constant; after the second it counts as 0. The hosts count as independent, so the
/// probability that none has run it is the product of their probabilities.
public struct FleetChance: Sendable, Equatable {
    /// In milliseconds from now; nil: not within the hosts' horizon.
    public var half: Int64?
    public var most: Int64?

    public init(half: Int64?, most: Int64?) { (self.half, self.most) = (half, most) }

    public init(of hosts: [FleetChance]) {
        let risks = hosts.compactMap(Risk.init)
        let bends = Set(risks.flatMap { $0.points.map(\.time) }).sorted()
        func time(of risk: Double) -> Int64? {
            var (before, sum) = (0.0, 0.0)
            for bend in bends {
                let next = risks.reduce(0) { $0 + $1.risk(by: bend) }
                if next >= risk - 1e-9 {
                    let share = next > sum ? (risk - sum) / (next - sum) : 0
                    return Int64((before + (bend - before) * min(max(share, 0), 1)).rounded())
                }
                (before, sum) = (bend, next)
            }
            return nil
        }
        (half, most) = (time(of: Risk.ofHalf), time(of: Risk.ofMost))
    }

    /// The cumulative hazard of a host: the negative logarithm of the probability that it has not run the task, piecewise
    /// linear in time.
    private struct Risk {
        // ln 2 and ln 10: the probability of no run is a half, and a tenth.
        static let ofHalf = 0.693_147_180_559_945_3
        static let ofMost = 2.302_585_092_994_045_7

        let points: [(time: Double, risk: Double)]

        init?(_ chance: FleetChance) {
            var points = [(time: 0.0, risk: 0.0)]
            // At least a moment, so that a risk has a slope.
            if let half = chance.half { points.append((Double(max(half, 1)), Self.ofHalf)) }
            if let most = chance.most {
                points.append((max(Double(max(most, 1)), (points.last?.time ?? 0) + 1), Self.ofMost))
            }
            guard points.count > 1 else { return nil }
            self.points = points
        }

        func risk(by time: Double) -> Double {
            guard let next = points.firstIndex(where: { $0.time >= time }) else {
                return points.last?.risk ?? 0
            }
            guard next > 0 else { return 0 }
            let (from, to) = (points[next - 1], points[next])
            return from.risk + (to.risk - from.risk) * (time - from.time) / (to.time - from.time)
        }
    }
}
