public import LullModel

/// Decides which uses of an app are recorded, so that a burst is one use and a line read twice adds none.
///
/// A session's start is recorded, then at most one use in 30 minutes for as long as it goes on: a use counts when none
/// lies within 30 minutes of it, before or after. So the outcome hardly depends on the order in which several sources
/// tell of the same session, and a log read again after a crash adds nothing.
public struct UsageSessions: Sendable, Equatable {
    public enum Verdict: Sendable, Equatable {
        /// To be recorded with this time.
        case use(WallTime)
        case sameSession
        case fromTheFuture
        case tooOld
    }

    public static let gap: Duration = .minutes(30)
    /// How far a use may lie in the future, because clocks differ.
    public static let slack: Duration = .minutes(1)
    /// The age from which a use says little about today's habits.
    public static let memory: Duration = .days(16 * 7)

    /// In ascending order and at least `gap` apart, except for uses that were recorded elsewhere.
    private(set) var recorded: [WallTime]
    /// Uses before it are not known here.
    private let horizon: WallTime

    /// `recorded`: the uses since `horizon` that the history holds already, in any order.
    public init(recorded: [WallTime] = [], horizon: WallTime) {
        self.horizon = horizon
        self.recorded = recorded.filter { $0 >= horizon }.sorted()
    }

    public mutating func judge(_ time: WallTime, now: WallTime) -> Verdict {
        guard time <= now + Self.slack else { return .fromTheFuture }
        guard time >= max(horizon, now - Self.memory) else { return .tooOld }
        let time = min(time, now)
        let index = place(of: time)
        if index > 0, time - recorded[index - 1] < Self.gap { return .sameSession }
        if index < recorded.count, recorded[index] - time < Self.gap { return .sameSession }
        insert(time, at: index, now: now)
        return .use(time)
    }

    /// Notes a use that was recorded elsewhere.
    public mutating func note(_ time: WallTime, now: WallTime) {
        guard time >= horizon else { return }
        let index = place(of: time)
        if index < recorded.count, recorded[index] == time { return }
        insert(time, at: index, now: now)
    }

    private static let limit = 8192

    private mutating func insert(_ time: WallTime, at index: Int, now: WallTime) {
        recorded.insert(time, at: index)
        guard recorded.count > Self.limit else { return }
        recorded.removeFirst(Self.limit / 2)
    }

    /// The index of `time`, after all earlier times.
    private func place(of time: WallTime) -> Int {
        var low = 0
        var high = recorded.count
        while low < high {
            let middle = (low + high) / 2
            if recorded[middle] < time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
