import LullModel
import RealModule

extension ConditionStrand {
    /// The prior, before anything was seen: how many ends of a state, in how many hours.
    private static let priorEnds = 0.05
    private static let priorHours = 0.5
    /// The weights, in hours of watching, that all hours together may have against this hour of all days; the likeliest
    /// for the data is taken.
    private static let dayWeights: [Double] = [1, 4, 16, 64]
    /// The same for this hour of all days, against like days.
    private static let sortWeight = 4.0
    /// The same for this hour of like days, against this hour of the week.
    private static let weekdayWeight = 16.0
    /// The greatest hazard: what always happened so far is still not certain.
    private static let most = 0.99

    /// For each hour of the week: P(the state ends in it | it began in that state), leaning on this hour of like
    /// days, these on this hour of all days, these on all hours, while there is little of it.
    func hazards(whileOpen: Bool) -> [Double] {
        let table = whileOpen ? open : closed
        let all =
            (table.ends.reduce(0) { $0 + Double($1) } + Self.priorEnds)
            / (table.risk.reduce(0) { $0 + Double($1) } + Self.priorHours)
        let dayWeight = Self.likeliestWeight(of: table, around: all)
        var hazards = [Double](repeating: 0, count: 168)
        for hour in 0..<24 {
            let ofDays = (0..<7).map { day in
                (risk: Double(table.risk[day * 24 + hour]), ends: Double(table.ends[day * 24 + hour]))
            }
            func mean(_ days: Range<Int>, _ weight: Double, _ prior: Double) -> Double {
                var risk = weight
                var ends = weight * prior
                for day in days {
                    risk += ofDays[day].risk
                    ends += ofDays[day].ends
                }
                return ends / risk
            }
            let everyDay = mean(0..<7, dayWeight, all)
            for sort in [0..<5, 5..<7] {
                let ofSort = mean(sort, max(Self.sortWeight, dayWeight), everyDay)
                for day in sort {
                    let own = mean(day..<(day + 1), max(Self.weekdayWeight, dayWeight), ofSort)
                    hazards[day * 24 + hour] = min(own, Self.most)
                }
            }
        }
        return hazards
    }

    /// How alike the hours of the day are, estimated from how far they lie apart compared with chance alone.
    ///
    /// Empirical Bayes: each hour's hazard is taken for a draw from a beta distribution around that of all hours, and the
    /// weight is the one under which the ends that were counted are likeliest (beta-binomial). A laptop is unplugged at
    /// its hours; a server's network fails at any, and its few failures say nothing of the hours in which they were.
    private static func likeliestWeight(of table: Table, around mean: Double) -> Double {
        let hours = (0..<24).map { hour in
            (0..<7).reduce(into: (risk: 0.0, ends: 0.0)) { sum, day in
                sum.risk += Double(table.risk[day * 24 + hour])
                sum.ends += Double(table.ends[day * 24 + hour])
            }
        }
        func logBeta(_ a: Double, _ b: Double) -> Double {
            Double.logGamma(a) + Double.logGamma(b) - Double.logGamma(a + b)
        }
        let centre = min(max(mean, 1e-6), 1 - 1e-6)
        func likelihood(_ weight: Double) -> Double {
            let (ends, rests) = (weight * centre, weight * (1 - centre))
            return hours.reduce(0) { sum, hour in
                sum + logBeta(ends + hour.ends, rests + max(0, hour.risk - hour.ends)) - logBeta(ends, rests)
            }
        }
        return dayWeights.map { ($0, likelihood($0)) }.max { $0.1 < $1.1 }?.0 ?? 1
    }

    /// The time since the first observation, and the hours watched, before which no prediction is made.
    static let leastSpan: Duration = .days(7)
    static let leastHours = 48.0

    func isEnough(at now: WallTime) -> Bool { now - first >= Self.leastSpan && hours >= Self.leastHours }
}
