/// A time zone as the list of its transitions: all calendar data that the pure core needs.
public struct Zone: Sendable, Equatable, Codable {
    public struct Transition: Sendable, Equatable, Codable {
        /// From this instant on …
        public let at: WallTime
        /// … local time is UTC plus this many seconds.
        public let offset: Int
        public init(at: WallTime, offset: Int) {
            self.at = at
            self.offset = offset
        }
    }

    public let name: String
    /// The offset before the first transition, in seconds east of UTC.
    public let initialOffset: Int
    /// In ascending order.
    public let transitions: [Transition]

    public init(name: String, initialOffset: Int, transitions: [Transition] = []) {
        self.name = name
        self.initialOffset = initialOffset
        self.transitions = transitions
    }

    public static let utc = Zone(name: "UTC", initialOffset: 0)

    /// Seconds east of UTC at an instant.
    public func offset(at time: WallTime) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initialOffset : transitions[low - 1].offset
    }

    /// The first transition after an instant.
    public func nextTransition(after time: WallTime) -> Transition? {
        transitions.first { $0.at > time }
    }

    /// The time of day and day of week at an instant.
    public func local(_ time: WallTime) -> LocalTime {
        LocalTime(secondsSinceEpoch: time.seconds + Int64(offset(at: time)))
    }
}

/// The zones a manifest speaks of, each with its transitions around now.
public struct Zones: Sendable, Equatable {
    public var host: Zone
    public var named: [String: Zone]
    /// The zones of apps that people use in another zone than the host's.
    public var ofApps: [AppIdentifier: Zone]

    public init(host: Zone, named: [String: Zone] = [:], ofApps: [AppIdentifier: Zone] = [:]) {
        self.host = host
        self.named = named
        self.ofApps = ofApps
    }

    public static let utc = Zones(host: .utc)

    /// The host's zone for nil and for a name that was not handed in.
    public subscript(name: String?) -> Zone {
        name.flatMap { named[$0] } ?? host
    }

    /// The zone in which an app is used.
    public func zone(of app: AppIdentifier) -> Zone {
        ofApps.isEmpty ? host : ofApps[app] ?? host
    }

    /// The zones for an app: its own zone in place of the host's.
    public func seen(by app: AppIdentifier) -> Zones {
        guard !ofApps.isEmpty, let zone = ofApps[app] else { return self }
        return Zones(host: zone, named: named)
    }
}

/// A local date and time without its zone.
public struct LocalTime: Sendable, Equatable {
    public let year: Int
    public let month: Int
    public let day: Int
    /// Monday is 0, Sunday is 6.
    public let weekday: Int
    public let secondOfDay: Int

    public var hour: Int { secondOfDay / 3600 }
    public var minute: Int { secondOfDay / 60 % 60 }
    public var second: Int { secondOfDay % 60 }

    public init(secondsSinceEpoch seconds: Int64) {
        let days = Int(seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400)
        secondOfDay = Int(seconds - Int64(days) * 86400)
        // 1970-01-01 was a Thursday.
        weekday = ((days + 3) % 7 + 7) % 7
        // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms": civil_from_days.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01 of a civil date; the inverse of the initialiser's arithmetic.
    public static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
