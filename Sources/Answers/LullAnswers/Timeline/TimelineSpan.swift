public import LullModel

/// The span of time that the timeline shows.
public enum TimelineSpan: String, Sendable, CaseIterable {
    /// From yesterday evening to this morning, in the host's zone.
    case night
    case day
    case week

    public func range(at now: WallTime, in zone: Zone) -> (from: WallTime, to: WallTime) {
        switch self {
        case .day: return (now - .hours(24), now)
        case .week: return (now - .days(7), now)
        case .night:
            let midnight = Self.midnight(of: now, in: zone)
            let evening = Self.instant(midnight.seconds - 6 * 3600, in: zone)
            let morning = Self.instant(midnight.seconds + 10 * 3600, in: zone)
            return (evening, min(morning, now))
        }
    }

    /// Today's local midnight, as local seconds.
    private static func midnight(of now: WallTime, in zone: Zone) -> WallTime {
        let local = now.seconds + Int64(zone.offset(at: now))
        return WallTime(seconds: local - Int64(zone.local(now).secondOfDay))
    }

    /// The instant at which the zone's clocks show this local time; for a skipped time, the instant at which they would have.
    private static func instant(_ local: Int64, in zone: Zone) -> WallTime {
        let guess = WallTime(seconds: local - Int64(zone.offset(at: WallTime(seconds: local))))
        return WallTime(seconds: local - Int64(zone.offset(at: guess)))
    }
}
