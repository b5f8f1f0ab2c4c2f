/// The sessions of the last three weeks by quarter-hours, so that "yesterday at this time" is one lookup.
struct Echo {
    private static let days = 23
    private static let reach = 5
    private let origin: Int
    /// The number of sessions that began before each quarter-hour.
    private let sums: [Int32]
    /// The sessions near each quarter-hour, with a weight that falls to 0 at 75 min.
    private let near: [Float]

    init(_ past: Past) {
        let last = past.times.last ?? 0
        // The origin is aligned with the middles of the steps of a plan that begins at the last session.
        origin = last + 450 - Self.days * 86400
        let count = Self.days * 96 + 1
        var near = [Float](repeating: 0, count: count)
        // Integers, because each sum waits for the one before it, and adding floats takes four times as long.
        var sums = [Int32](repeating: 0, count: count + 1)
        for index in stride(from: past.count - 1, through: 0, by: -1) {
            let second = past.times[index] - origin
            if second < 0 { break }
            let place = second / 900
            if place < count { sums[place + 1] += 1 }
            for target in max(0, place - Self.reach)...min(count - 1, place + Self.reach) {
                near[target] += max(0, 1 - Float(abs(target * 900 - second)) / 4500)
            }
        }
        var sum: Int32 = 0
        for place in sums.indices {
            sum &+= sums[place]
            sums[place] = sum
        }
        self.near = near
        self.sums = sums
    }

    private func place(_ second: Int) -> Int { (second - origin + 450).dividedDown(by: 900) }

    func near(_ second: Int) -> Float {
        let place = place(second)
        return place >= 0 && place < near.count ? near[place] : 0
    }

    /// Sessions from `start` until `end`.
    func count(from start: Int, to end: Int) -> Float {
        Float(sums[max(0, min(sums.count - 1, place(end)))] - sums[max(0, min(sums.count - 1, place(start)))])
    }
}
