public import LullModel

/// The refresh launches of the last week by quarter-hours, from which the budget is counted.
///
/// It holds counts and the price, but no allowance, for the manifest sets that and may change at any time. The events
/// record each price, so the fold of the history is the same under any manifest.
public struct Spending: Sendable, Equatable, Codable {
    struct Quarter: Sendable, Equatable, Codable {
        /// Quarter-hours since 1970.
        var index: Int64
        var launches: Int
    }

    static let quarter: Int64 = 900_000
    static let day: Int64 = 96
    static let week: Int64 = 7 * day

    /// In ascending order, of the last week.
    var quarters: [Quarter] = []
    public internal(set) var last: WallTime?
    /// The price's multiplier after the last launch, and the time of that launch (`Price`).
    public internal(set) var multiplier = 1.0
    var priced: WallTime?
    /// Nil: nothing was launched yet, or the refresh budget is old. A checkpoint without it counts as that of an old
    /// one.
    private(set) var newBudget: NewBudget?

    public init() {}

    static func index(of time: WallTime) -> Int64 {
        let (quotient, remainder) = time.milliseconds.quotientAndRemainder(dividingBy: quarter)
        return remainder < 0 ? quotient - 1 : quotient
    }

    mutating func note(launchAt time: WallTime) {
        let index = Self.index(of: time)
        var place = quarters.endIndex
        while place > 0, quarters[place - 1].index > index { place -= 1 }
        if place > 0, quarters[place - 1].index == index {
            quarters[place - 1].launches += 1
        } else {
            quarters.insert(Quarter(index: index, launches: 1), at: place)
        }
        if let newest = quarters.last, let oldest = quarters.first, oldest.index <= newest.index - Self.week {
            quarters.removeAll { $0.index <= newest.index - Self.week }
        }
        last = time
    }

    /// Stores the price after a launch, with `budget` launches allowed a day.
    mutating func price(_ multiplier: Double, at time: WallTime, perDay budget: Double) {
        var refreshBudget = priced == nil ? NewBudget(at: time) : newBudget
        refreshBudget?.note(launchAfter: Price.pause(self, time), perDay: budget)
        newBudget = refreshBudget.flatMap { $0.age(at: time) > NewBudget.days ? nil : $0 }
        self.multiplier = multiplier
        priced = time
    }

    /// Launches in the last 24 hours.
    ///
    /// A quarter-hour leaves the count 24 hours after its beginning, so that a launch at the same time of
    /// every day does not push the next day's back.
    func today(at now: WallTime) -> Int {
        count(of: Self.day, before: now)
    }

    /// When fewer than `allowed` launches lie in the last 24 hours; nil: this is so already.
    func falls(below allowed: Int, today: Int? = nil, at now: WallTime) -> WallTime? {
        let index = Self.index(of: now)
        var excess = (today ?? self.today(at: now)) - allowed
        guard excess >= 0 else { return nil }
        for quarter in quarters where quarter.index > index - Self.day && quarter.index <= index {
            excess -= quarter.launches
            if excess < 0 { return WallTime(milliseconds: (quarter.index + Self.day) * Self.quarter) }
        }
        return nil
    }

    private func count(of span: Int64, before now: WallTime) -> Int {
        let index = Self.index(of: now)
        var sum = 0
        for quarter in quarters.reversed() where quarter.index <= index {
            if quarter.index <= index - span { break }
            sum += quarter.launches
        }
        return sum
    }
}
