import LullForecast
import LullModel

/// When a refresh would be launched if it were judged at some time to come, remembered.
///
/// Judging is dear, for it plans a day; and futures have much in common. What was judged within the same
/// quarter-hour after the same use is not judged again.
struct OutlookMoments {
    private struct Key: Hashable {
        let judged: Int64
        let use: Int64?
    }

    private var input: GateInput
    private let end: WallTime
    /// Nil: not by the end. A time that is not after its judgement: at once.
    private var known: [Key: WallTime?] = [:]

    init(_ input: GateInput, until end: WallTime) {
        self.input = input
        self.input.explains = false
        self.end = end
    }

    mutating func launch(judgedAt time: WallTime, lastUse: WallTime?) -> WallTime? {
        let key = Key(judged: slot(of: time), use: lastUse.map(slot))
        if let known = known[key] { return known }
        let found = judge(at: time, lastUse: lastUse)
        known[key] = .some(found)
        return found
    }

    /// Quarter-hours at first, hours later on.
    private func slot(of time: WallTime) -> Int64 {
        let quarter = Spending.index(of: time)
        return time - input.now.wall < .hours(6) ? quarter : quarter / 4 * 4 + 1_000_000_000
    }

    private func judge(at start: WallTime, lastUse: WallTime?) -> WallTime? {
        var input = input
        if start > input.now.wall || lastUse != nil { input.plan = nil }
        if let lastUse { input.appRecord?.forecast.learn(useAt: lastUse, zone: input.now.zones.host) }
        var time = start
        for _ in 0..<8 {
            input.now.wall = time
            let judgement = input.judgeMoment()
            if judgement.verdict.isOpen { return time }
            let look = judgement.next.map { max($0, time + .milliseconds(1)) }
            if let launch = judgement.plan?.launch, launch <= look ?? launch { return launch }
            guard let look, look < end else { return nil }
            time = look
            input.plan = nil
        }
        return nil
    }
}
