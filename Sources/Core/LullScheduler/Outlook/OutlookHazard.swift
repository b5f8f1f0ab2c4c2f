import LullModel
import RealModule

/// A hazard over the hours to come, summed up to each border of an hour.
///
/// If e is exponential with mean 1, the event comes at the time at which the sum reaches e. So both its distribution
/// and a sample of it are one lookup in the sum.
struct OutlookHazard: Sendable {
    /// The borders of the hours, the present first.
    let times: [WallTime]
    /// The sum at each border; the first is 0.
    let sums: [Double]

    /// `chance`: P(it comes in the whole hour | not before), by the hour of the week.
    init(_ grid: OutlookGrid, chance: [Double]) {
        times = grid.times
        var sum = 0.0
        var sums = [0.0]
        sums.reserveCapacity(grid.times.count)
        for (index, hour) in grid.hours.enumerated() {
            let length = (grid.times[index + 1] - grid.times[index]).inSeconds / 3600
            sum -= Double.log(onePlus: -min(chance[hour], 0.999)) * length
            sums.append(sum)
        }
        self.sums = sums
    }

    /// P(it comes by the k-th border), ascending.
    init(_ grid: OutlookGrid, reached: [Double]) {
        times = grid.times
        var most = 0.0
        sums =
            [0.0]
            + reached.map { share in
                most = max(most, -Double.log(onePlus: -min(share, 1 - 1e-9)))
                return most
            }
    }

    func sum(at time: WallTime) -> Double {
        guard let first = times.first, let last = times.last, time > first else { return 0 }
        guard time < last else { return sums[sums.count - 1] }
        var low = 0
        var high = times.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if times[middle] <= time { low = middle } else { high = middle }
        }
        let share = (time - times[low]).inSeconds / (times[high] - times[low]).inSeconds
        return sums[low] + (sums[high] - sums[low]) * share
    }

    /// When, after `time`, the sum has grown by `hazard`; nil: not within the grid.
    func time(after time: WallTime, hazard: Double) -> WallTime? {
        let goal = sum(at: time) + hazard
        guard let total = sums.last, total >= goal, hazard.isFinite else { return nil }
        var low = 0
        var high = sums.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if sums[middle] < goal { low = middle } else { high = middle }
        }
        let span = sums[high] - sums[low]
        let share = span > 0 ? (goal - sums[low]) / span : 0
        let found = times[low] + .milliseconds(Int64(share * Double((times[high] - times[low]).milliseconds)))
        return max(time, found)
    }

    /// By when it has come with this probability; nil: not within the grid.
    func quantile(_ probability: Double) -> WallTime? {
        times.first.flatMap { time(after: $0, hazard: -Double.log(onePlus: -probability)) }
    }
}

/// The hours to come, each with its place in the local week; they begin and end with the hours of the local clock.
struct OutlookGrid: Sendable {
    let times: [WallTime]
    let hours: [Int]

    init(from start: WallTime, to end: WallTime, zone: Zone) {
        var times = [start]
        var hours: [Int] = []
        var time = start
        while time < end {
            let (hour, next) = ConditionStrand.hourOfWeek(time, zone)
            hours.append(hour)
            times.append(next)
            time = next
        }
        self.times = times
        self.hours = hours
    }
}

/// A condition, or a set of them, as it may go on from now: it opens and closes with its hazards.
struct OutlookCourse: Sendable {
    let opens: OutlookHazard
    let closes: OutlookHazard
    let isOpen: Bool

    /// One future of it, walked through from the present on.
    struct Walk {
        private(set) var isOpen: Bool
        /// When it changes next; nil: not within the grid.
        private(set) var change: WallTime?

        init(_ course: OutlookCourse, from start: WallTime, _ random: inout OutlookRandom) {
            isOpen = course.isOpen
            change = course.change(isOpen, after: start, &random)
        }

        mutating func advance(to time: WallTime, in course: OutlookCourse, _ random: inout OutlookRandom) {
            while let at = change, at <= time {
                isOpen.toggle()
                change = course.change(isOpen, after: at, &random)
            }
        }
    }

    fileprivate func change(_ isOpen: Bool, after time: WallTime, _ random: inout OutlookRandom) -> WallTime?
    {
        (isOpen ? closes : opens).time(after: time, hazard: random.exponential())
            // Some time must pass, or a walk would not advance.
            .map { max($0, time + .milliseconds(1)) }
    }
}
