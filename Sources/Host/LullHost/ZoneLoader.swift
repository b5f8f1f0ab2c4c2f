import Foundation
public import LullModel

/// Reads the zones that a manifest speaks of from the system's zone database, as lists of transitions.
public enum ZoneLoader {
    /// How far the tables reach: uses are imported from years ago, windows are planned weeks ahead.
    static let past: Duration = .days(5 * 366)
    static let future: Duration = .days(2 * 366)

    /// The host's zone and those of `names`; a name that the system does not know is left out, and the host's zone
    /// stands in for it (the manifest has refused such names already).
    public static func load(_ names: Set<String>, around now: WallTime) -> Zones {
        TimeZone.ReferenceType.resetSystemTimeZone()
        var named: [String: Zone] = [:]
        for name in names {
            if let zone = TimeZone(identifier: name) { named[name] = table(of: zone, name, around: now) }
        }
        let host = TimeZone.current
        return Zones(host: table(of: host, host.identifier, around: now), named: named)
    }

    /// `name`: as the manifest has it; Foundation calls UTC "GMT".
    private static func table(of zone: TimeZone, _ name: String, around now: WallTime) -> Zone {
        let start = date(now - past)
        let end = date(now + future)
        var transitions: [Zone.Transition] = []
        var cursor = start
        while let next = zone.nextDaylightSavingTimeTransition(after: cursor), next > cursor, next < end {
            let at = WallTime(milliseconds: Int64((next.timeIntervalSince1970 * 1000).rounded()))
            transitions.append(.init(at: at, offset: zone.secondsFromGMT(for: next)))
            cursor = next
        }
        return Zone(
            name: name, initialOffset: zone.secondsFromGMT(for: start), transitions: transitions)
    }

    private static func date(_ time: WallTime) -> Date {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
    }
}
