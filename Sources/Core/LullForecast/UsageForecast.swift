public import LullModel

/// A forecast of when an app is used, learned from its past uses.
///
/// A forecast keeps the beginnings of the latest sessions, and computes the hazard of the next one with a network that was
/// trained on many people's uses (`HazardNetwork`), so that an app is forecast well in its first week.
///
/// Pure and bounded: under 3 KiB for an app. The order in which uses are learned makes no difference.
public struct UsageForecast: Sendable, Equatable, Codable {
    var sessions = Sessions()

    /// The number of quarter-hours with a hazard each; beyond this day each half-hour has one, which takes half the time.
    static let exactSteps = 96

    public init() {}

    public mutating func learn(useAt time: WallTime, zone: Zone) {
        sessions.insert(second: time.clamped.seconds, offset: zone.offset(at: time.clamped))
    }

    /// Uses later than `time` were stamped by a clock that was wrong by `step`: they move back as it did.
    public mutating func clockSetBack(by step: Duration, to time: WallTime) {
        sessions.moveBack(by: step.components.seconds, to: time.clamped.seconds)
    }

    /// When the latest session began; uses less than half an hour apart are one session.
    public var lastUse: WallTime? { sessions.lastStart.map(WallTime.init(seconds:)) }

    /// The size of its arrays in bytes; under 3 KiB.
    public var bytes: Int { sessions.starts.count * 5 }

    /// Whether a use at `time` would begin a session.
    public func isNewSession(at time: WallTime) -> Bool { sessions.isNew(second: time.clamped.seconds) }

    /// The number of known sessions, at most 512.
    public var known: Int { sessions.count }

    /// The hazard of the next session in each quarter-hour from `from` on, given that there is none until then.
    ///
    /// Nil when nothing is known, or when the clock was set back to before the latest session. The network was trained for a
    /// week ahead; no more steps are returned.
    public func hazards(from: WallTime, steps: Int, zone: Zone) -> Hazards? {
        hazards(from: from, steps: steps, exact: Self.exactSteps, zone: zone)
    }

    func hazards(from: WallTime, steps: Int, exact: Int, zone: Zone) -> Hazards? {
        // `UInt32` as in sessions: with a later clock the walk over the time since the last session would take too long.
        guard let last = sessions.lastStart, let now = UInt32(exactly: from.seconds), now >= last, steps > 0
        else { return nil }
        let start = Int(now)
        // Beyond a day nothing is looked up more precisely than by an hour: a zone changes its offset at most twice a year.
        let count = min(steps, WeekAhead.steps)
        let features = Features(sessions, from: start, count: count, paired: exact) { second in
            zone.offset(at: WallTime(seconds: Int64(second)))
        }
        let told = HazardNetwork.shipped.hazards(features)
        var values = (0..<count).map { step in
            told[step < exact ? step : exact + (step - exact) / 2]
        }
        // The next session begins at least half an hour after the last.
        let quiet = Int(last + Sessions.gap) - start
        for step in values.indices where step * 900 + 450 < quiet { values[step] = 0 }
        return Hazards(from: from, values: values)
    }

    /// The uses of the week from `from` on.
    public func weekAhead(from: WallTime, zone: Zone) -> WeekAhead {
        guard let next = hazards(from: from, steps: WeekAhead.steps, zone: zone) else {
            return WeekAhead(evenlyFrom: from.clamped)
        }
        return WeekAhead(self, next: next, zone: zone)
    }
}

extension Int {
    /// The quotient rounded down, also below zero.
    func dividedDown(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

extension WallTime {
    /// Clamped to the times that arithmetic can't overflow.
    var clamped: WallTime { max(.distantPast, min(self, .distantFuture)) }
}
