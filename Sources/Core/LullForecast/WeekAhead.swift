public import LullModel
import RealModule

/// The uses of the coming week, quarter-hour by quarter-hour, as the hazards have them.
///
/// A hazard speaks of the next use alone. What follows a use comes from the hazards that a plan would be made from after it: a
/// renewal process (D. R. Cox, *Renewal Theory*, 1962), whose uses begin anew each hour. Until then the days are taken to have
/// gone as they did a week before, for hazards that follow a gap are those of an app that is used less.
public struct WeekAhead: Sendable {
    /// A week of quarter-hours: as far as a hazard was ever learned.
    public static let steps = 672
    private static let hour = 4
    /// An hour whose uses are less likely than this is taken together with the next.
    private static let leastMass = 0.05
    /// Uses a day that are expected of an app of which nothing is known, spread evenly.
    private static let prior = 1.0

    public let from: WallTime
    /// How many uses are expected to begin in each quarter-hour.
    public private(set) var rates: [Double]
    private var courses: [Course] = []

    /// What goes on from one use until the next.
    private struct Course: Sendable {
        /// P(there is such a use).
        let mass: Double
        /// The first step of the hours in which it begins.
        let first: Int
        /// The first step in which the next can begin.
        let start: Int
        /// Of each step from there on.
        let hazards: [Float]

        /// P(there is such a use, and the next does not begin in `steps`).
        func none(in steps: Range<Int>, _ mass: Double) -> Double {
            steps.reduce(mass) { $0 * (1 - Double(hazards[$1 - start])) }
        }
    }

    /// Of an app of which nothing is known.
    init(evenlyFrom from: WallTime) {
        self.from = from
        rates = Array(repeating: Self.prior / 96, count: Self.steps)
    }

    init(_ forecast: UsageForecast, next: Hazards, zone: Zone) {
        self.init(next: next)
        var lived = Lived(forecast, before: from, zone: zone)
        var mass = 0.0
        var first = 0
        for end in stride(from: Self.hour, to: Self.steps, by: Self.hour) {
            mass += rates[end - Self.hour..<end].reduce(0, +)
            guard mass >= Self.leastMass else { continue }
            // In the middle of the hour, for all of its uses; the next begins half an hour later at the earliest.
            let after = lived.used(at: time(ofStep: end - Self.hour / 2)).hazards(
                from: time(ofStep: end), steps: Self.steps - end, exact: 0, zone: zone)
            if let after { add(Course(mass: mass, first: first, start: end, hazards: after.values)) }
            mass = 0
            first = end
        }
    }

    /// Of the next use alone.
    public init(next hazards: Hazards) {
        from = hazards.from
        rates = Array(repeating: 0, count: Self.steps)
        add(Course(mass: 1, first: 0, start: 0, hazards: hazards.values))
    }

    private mutating func add(_ course: Course) {
        var mass = course.mass
        for (index, hazard) in course.hazards.enumerated() {
            rates[course.start + index] += mass * Double(hazard)
            mass *= 1 - Double(hazard)
        }
        courses.append(course)
    }

    public func time(ofStep step: Int) -> WallTime { from + .minutes(15 * step) }

    /// P(at least one use begins in `range`).
    public func probability(_ range: Range<Int>) -> Double {
        guard !courses.isEmpty else { return 1 - Double.exp(-rates[range].reduce(0, +)) }
        // The latest use before it is that of one course, and the next begins within it. Of an hour in which it begins, the uses
        // before it count.
        let sum = courses.reduce(0.0) { sum, course in
            guard course.start > range.lowerBound else {
                let before = course.none(in: course.start..<range.lowerBound, course.mass)
                return sum + before - course.none(in: range, before)
            }
            guard course.first < range.lowerBound, course.start < range.upperBound else { return sum }
            let before = rates[course.first..<range.lowerBound].reduce(0, +)
            return sum + before - course.none(in: course.start..<range.upperBound, before)
        }
        return min(sum, 1)
    }
}

/// An app whose days go on as they did a week before.
private struct Lived {
    private var forecast: UsageForecast
    private var last: [Int64]
    private let zone: Zone
    private static let week: Int64 = 7 * 86400

    init(_ forecast: UsageForecast, before now: WallTime, zone: Zone) {
        self.forecast = forecast
        self.zone = zone
        last = forecast.sessions.starts.map(Int64.init).filter { $0 >= now.seconds - Self.week }.reversed()
    }

    /// At the same local time.
    private func weekAfter(_ seconds: Int64) -> WallTime {
        let before = WallTime(seconds: seconds)
        let after = WallTime(seconds: seconds + Self.week)
        return after + .seconds(zone.offset(at: before) - zone.offset(at: after))
    }

    /// With a use at `time`, which only grows.
    mutating func used(at time: WallTime) -> UsageForecast {
        while let next = last.last.map(weekAfter), next <= time - .seconds(Sessions.gap) {
            forecast.learn(useAt: next, zone: zone)
            last.removeLast()
        }
        var used = forecast
        used.learn(useAt: time, zone: zone)
        return used
    }
}
