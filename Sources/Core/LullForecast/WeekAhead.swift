public import LullModel
import RealModule

/// The expected uses of the coming week, by quarter-hours, computed from hazards.
///
/// A hazard is about the next use alone. The uses after it come from the hazards that a forecast would give after that use:
/// a renewal process (D. R. Cox, *Renewal Theory*, 1962), which is renewed each hour. The days until then are assumed to go as
/// a week before, because hazards after a gap are those of an app that is used less.
public struct WeekAhead: Sendable {
    /// A week of quarter-hours, as far as the network was trained.
    public static let steps = 672
    private static let hour = 4
    /// An hour with fewer expected uses than this is combined with the next.
    private static let leastMass = 0.05
    /// The expected uses a day of an unknown app, spread evenly.
    private static let prior = 1.0

    public let from: WallTime
    /// The expected number of uses that begin in each quarter-hour.
    public private(set) var rates: [Double]
    private var courses: [Course] = []

    /// The course of time from one use until the next.
    private struct Course: Sendable {
        /// P(there is such a use).
        let mass: Double
        /// The first step of the hours in which it begins.
        let first: Int
        /// The first step in which the next can begin.
        let start: Int
        /// The hazard of each step from `start` on.
        let hazards: [Float]

        /// P(there is such a use, and the next does not begin in `steps`).
        func none(in steps: Range<Int>, _ mass: Double) -> Double {
            steps.reduce(mass) { $0 * (1 - Double(hazards[$1 - start])) }
        }
    }

    /// For an app of which nothing is known.
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
            // One use in the middle of the hour stands for all its uses; the next begins half an hour later at the earliest.
            let after = lived.used(at: time(ofStep: end - Self.hour / 2)).hazards(
                from: time(ofStep: end), steps: Self.steps - end, exact: 0, zone: zone)
            if let after { add(Course(mass: mass, first: first, start: end, hazards: after.values)) }
            mass = 0
            first = end
        }
    }

    /// For the next use alone.
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
        // The latest use before `range` belongs to one course, and the next begins within `range`. If `range` begins inside a
        // course's hours, only the uses before `range` count.
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

/// An app whose days go on as a week before.
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

    /// The same local time a week later.
    private func weekAfter(_ seconds: Int64) -> WallTime {
        let before = WallTime(seconds: seconds)
        let after = WallTime(seconds: seconds + Self.week)
        return after + .seconds(zone.offset(at: before) - zone.offset(at: after))
    }

    /// The forecast after a use at `time`; `time` must not decrease between calls.
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
