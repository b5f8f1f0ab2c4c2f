import LullForecast
import LullModel

/// A cache of the plans made in a refresh's futures: planning is expensive, for a plan reaches two days, and futures
/// have much in common.
///
/// A plan made within the same quarter-hour after the same use is used again.
struct OutlookPlans {
    private struct Key: Hashable {
        let made: Int64
        let use: Int64?
    }

    private let start: WallTime
    private var known: [Key: Plan] = [:]

    init(from start: WallTime) { self.start = start }

    /// Before an event: gives the scheduler a known plan where it would plan anew.
    func prepare(_ play: inout OutlookPlay, lastUse: WallTime?, isUse: Bool) {
        guard let state = play.state.tasks[play.task], !known.isEmpty else { return }
        let now = play.now.wall
        let isDue = state.plan.map { $0.launch != nil || $0.stands(at: now) } ?? false
        guard isUse || !isDue, let plan = known[key(now, lastUse)] else { return }
        guard var forecast = play.state.ledger.apps[play.app]?.forecast else { return }
        if isUse, let lastUse {
            forecast.learn(useAt: lastUse, zone: play.now.zones.zone(of: play.app))
            // One more use of the same session changes no plan.
            if state.plan?.session == forecast.lastUse { return }
        }
        play.take(plan, session: forecast.lastUse)
    }

    /// After an event: remembers a new plan.
    mutating func note(_ play: OutlookPlay, lastUse: WallTime?) {
        guard let plan = play.plan, plan.made == play.now.wall, case .forecast = plan.basis else { return }
        let key = key(play.now.wall, lastUse)
        if known[key] == nil { known[key] = plan }
    }

    private func key(_ now: WallTime, _ use: WallTime?) -> Key {
        Key(made: slot(of: now), use: use.map(slot))
    }

    /// Quarter-hours at first, hours later on.
    private func slot(of time: WallTime) -> Int64 {
        let quarter = Spending.index(of: time)
        return time - start < .hours(6) ? quarter : quarter / 4 * 4 + 1_000_000_000
    }
}
