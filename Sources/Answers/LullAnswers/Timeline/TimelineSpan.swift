public import LullModel

/// Which span of time the timeline shows.
public enum TimelineSpan: String, Sendable, CaseIterable {
    /// From yesterday's evening to this morning, as the host's zone has it.
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

    /// Today's first second, as local time counts.
    private static func midnight(of now: WallTime, in zone: Zone) -> WallTime {
        let local = now.seconds + Int64(zone.offset(at: now))
        return WallTime(seconds: local - Int64(zone.local(now).secondOfDay))
    }

    /// The instant at which the zone's clocks show this; where they skip it, the one at which they would have.
    private static func instant(_ local: Int64, in zone: Zone) -> WallTime {
        let guess = WallTime(seconds: local - Int64(zone.offset(at: WallTime(seconds: local))))
        return WallTime(seconds: local - Int64(zone.offset(at: guess)))
    }
}
