import RealModule

/// How old evidence loses weight: by half every two weeks, in whole days.
enum Decay {
    static let halfLifeDays = 14
    /// 2^-32: what is older weighs nothing.
    private static let horizon = 32 * halfLifeDays

    private static let weights: [Double] = (0..<horizon).map { age in
        Double.exp2(-Double(age) / Double(halfLifeDays))
    }

    /// The weight of a day that lies `age` days back.
    static func weight(age: Int) -> Double {
        precondition(age >= 0, "evidence is not of the future")
        return age < horizon ? weights[age] : 0
    }

    /// The summed weights of the ages `first`, `first + 7`, … up to `last`.
    static func weeklySum(first: Int, last: Int) -> Double {
        guard first <= last else { return 0 }
        let count = (min(last, horizon) - first) / 7 + 1
        return weight(age: first) * (1 - weight(age: 7 * count)) / (1 - weight(age: 7))
    }
}

/// How much of the past was observed, weighed as its uses are: what counts of uses are divided by.
///
/// The days observed are those since the first use's, so an hour that has not come up yet is not taken for
/// an hour without use.
struct Exposure {
    /// Days with the same day of the week.
    private(set) var weekday = 0.0
    /// Days of the same sort: from Monday to Friday, or Saturday and Sunday.
    private(set) var sort = 0.0
    private(set) var everyDay = 0.0

    /// For `day`, seen from it over the days at least `lead` back, down to `firstDay`.
    init(of day: Int, lead: Int, firstDay: Int?) {
        guard let firstDay else { return }
        for back in lead..<lead + 7 {
            // Ages count from the latest observed day, which is one day old.
            let sum = Decay.weeklySum(first: back - lead + 1, last: day - firstDay - lead + 1)
            everyDay += sum
            if isWeekend(day - back) == isWeekend(day) { sort += sum }
            if back % 7 == 0 { weekday += sum }
        }
    }
}

/// Days are counted from a Monday.
func isWeekend(_ day: Int) -> Bool { day - day.dividedDown(by: 7) * 7 >= 5 }
