import LullModel

extension ConditionStrand {
    /// What a state's end at some hour is worth to it before anything was seen, and over how many hours.
    private static let priorEnds = 0.05
    private static let priorHours = 0.5
    /// Hours of watching that all hours together weigh as much as, against this hour of all days.
    private static let dayWeight = 1.0
    /// The same for this hour of all days, against like days.
    private static let sortWeight = 4.0
    /// The same for this hour of like days, against this hour of the week.
    private static let weekdayWeight = 16.0
    /// Nothing is certain that only ever was so.
    private static let most = 0.99

    /// For each hour of the week: P(the state ends in it | it began in that state), leaning on this hour of like
    /// days, these on this hour of all days, these on all hours, while there is little of it.
    func hazards(whileOpen: Bool) -> [Double] {
        let table = whileOpen ? open : closed
        let all =
            (table.ends.reduce(0) { $0 + Double($1) } + Self.priorEnds)
            / (table.risk.reduce(0) { $0 + Double($1) } + Self.priorHours)
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
            let everyDay = mean(0..<7, Self.dayWeight, all)
            for sort in [0..<5, 5..<7] {
                let ofSort = mean(sort, Self.sortWeight, everyDay)
                for day in sort {
                    let own = mean(day..<(day + 1), Self.weekdayWeight, ofSort)
                    hazards[day * 24 + hour] = min(own, Self.most)
                }
            }
        }
        return hazards
    }

    /// Before a week of it has been seen, and two days of that watched, nothing is said.
    static let leastSpan: Duration = .days(7)
    static let leastHours = 48.0

    func isEnough(at now: WallTime) -> Bool { now - first >= Self.leastSpan && hours >= Self.leastHours }
}
