import ArgumentParser
import Foundation
import LullHost
import LullModel
import LullSystem

/// A time on the command line: RFC 3339, `YYYY-MM-DD HH:MM`, `19:40` or `yesterday` in the host's zone, or a span such as `15m`.
package struct TimeArgument: ExpressibleByArgument {
    package static let forms =
        "19:40, yesterday or \"2026-12-24 03:00\" in the host's zone, RFC 3339, or a span from now such as 90s, 15m, 4h, 7d, 1w"

    private enum Value {
        case instant(WallTime)
        case span(Duration)
        /// A time on the day that is so many from today; without a day, the next such time or the last.
        case clock(day: Int?, hour: Int, minute: Int)
    }
    private let value: Value

    package init?(argument: String) {
        if let span = Duration(manifest: argument) ?? Self.spoken(argument) {
            value = .span(span)
        } else if let clock = Self.clock(argument) {
            value = clock
        } else if let date = Self.date(argument) {
            value = .instant(WallTime(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded())))
        } else {
            return nil
        }
    }

    /// For `transform` of an option: the error for an invalid time says what was perhaps meant.
    package static func told(_ text: String) throws -> TimeArgument {
        guard let time = TimeArgument(argument: text) else { throw Failure(remedy(text)) }
        return time
    }

    /// A suggestion for a number without its unit, or a time of day without its colon.
    package static func remedy(_ text: String) -> String {
        guard !text.isEmpty, text.utf8.count <= 6, let number = Int(text), number > 0 else {
            return "write, for example, 90s, 15m, 4h or 7d"
        }
        let span = "\(number)s, \(number)m or \(number)h"
        let digits = text.count <= 2 ? text + "00" : text
        guard digits.count == 4, case let clock = "\(digits.prefix(2)):\(digits.suffix(2))",
            TimeArgument(argument: clock) != nil
        else { return "a span needs its unit. Did you mean \(span)?" }
        return "a span needs its unit, and a time of day its colon. Did you mean \(span), or \(clock)?"
    }

    package var isSpan: Bool {
        if case .span = value { true } else { false }
    }

    /// A span counts from now, ahead or back; a time of day is the next one or the last one.
    package func time(ahead: Bool) -> WallTime { time(ahead: ahead, now: Clock.wall, in: .current) }

    package func time(ahead: Bool, now: WallTime, in calendar: Calendar) -> WallTime {
        switch value {
        case .instant(let time): return time
        case .span(let span): return ahead ? now + span : now - span
        case .clock(let day, let hour, let minute):
            let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
            let found: Date?
            if let day {
                found = calendar.date(byAdding: .day, value: day, to: calendar.startOfDay(for: date)).flatMap
                {
                    calendar.date(bySettingHour: hour, minute: minute, second: 0, of: $0)
                }
            } else {
                found = calendar.nextDate(
                    after: date, matching: DateComponents(hour: hour, minute: minute, second: 0),
                    matchingPolicy: .nextTime, direction: ahead ? .forward : .backward)
            }
            // A calendar that has no such day has no such clock either.
            return found.map { WallTime(milliseconds: Int64($0.timeIntervalSince1970) * 1000) } ?? now
        }
    }

    /// `2hours`, `2 hours`, `90 min`, `2h ago`.
    private static func spoken(_ text: String) -> Duration? {
        var rest = text.lowercased().filter { $0 != " " }
        if rest.hasSuffix("ago") { rest.removeLast(3) }
        if rest.hasPrefix("in") { rest.removeFirst(2) }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let units = [
            ("w", ["w", "week", "weeks"]), ("d", ["d", "day", "days"]),
            ("h", ["h", "hr", "hrs", "hour", "hours"]),
            ("m", ["m", "min", "mins", "minute", "minutes"]),
            ("s", ["s", "sec", "secs", "second", "seconds"]),
        ]
        let word = String(rest.dropFirst(digits.count))
        guard let unit = units.first(where: { $0.1.contains(word) })?.0 else { return nil }
        return Duration(manifest: digits + unit)
    }

    /// `19:40`, `today`, `yesterday 18:00`, `tomorrow 8:00`.
    private static func clock(_ text: String) -> Value? {
        var words = text.lowercased().split(separator: " ")[...]
        let days = ["yesterday": -1, "today": 0, "tomorrow": 1]
        let day = words.first.flatMap { days[String($0)] }
        if day != nil { words = words.dropFirst() }
        guard let word = words.first else { return day.map { .clock(day: $0, hour: 0, minute: 0) } }
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        guard words.count == 1, parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
            (0...59).contains(minute)
        else { return nil }
        return .clock(day: day, hour: hour, minute: minute)
    }

    private static func date(_ text: String) -> Date? {
        let formatter = ISO8601DateFormatter()
        for options: ISO8601DateFormatter.Options in [
            .withInternetDateTime, [.withInternetDateTime, .withFractionalSeconds],
        ] {
            formatter.formatOptions = options
            if let date = formatter.date(from: text) { return date }
        }
        let local = DateFormatter()
        local.locale = Locale(identifier: "en_US_POSIX")
        for format in ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd"] {
            local.dateFormat = format
            if let date = local.date(from: text) { return date }
        }
        return nil
    }
}

extension Duration {
    /// A span as the manifest writes it: `90s`, `15m`, `4h`, `7d`, `1w`.
    package init?(manifest text: String) {
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604_800]
        guard let last = text.last, let unit = units[last], let count = Int(text.dropLast()), count >= 0,
            count <= 1_000_000
        else { return nil }
        self = .seconds(count * unit)
    }
}

extension Phrases {
    /// Now, in the host's zone.
    package static var current: Phrases {
        let now = Clock.wall
        return Phrases(now: now, zone: ZoneLoader.load([], around: now).host)
    }
}
