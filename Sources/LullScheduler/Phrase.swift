import LullModel

/// How instants, spans and quantities are written in sentences for people.
enum Phrase {
    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// "08:30" today, "Sunday 04:00" within a week to come, "2026-11-21 04:00" otherwise.
    static func moment(_ time: WallTime, seenFrom now: WallTime, in zone: Zone) -> String {
        let there = zone.local(time)
        let here = zone.local(now)
        let clock = two(there.hour) + ":" + two(there.minute)
        let days =
            LocalTime.days(year: there.year, month: there.month, day: there.day)
            - LocalTime.days(year: here.year, month: here.month, day: here.day)
        if days == 0 { return clock }
        if days > 0 && days < 7 { return weekdays[there.weekday] + " " + clock }
        return date(there) + " " + clock
    }

    static func date(_ local: LocalTime) -> String {
        "\(local.year)-" + two(local.month) + "-" + two(local.day)
    }

    /// The two largest units: "6 d 23 h", "2 h 5 min", "30 s", "250 ms".
    static func span(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.milliseconds)
        if milliseconds > 0 && milliseconds < 1000 { return "\(milliseconds) ms" }
        let units: [(Int64, String)] = [(86400, "d"), (3600, "h"), (60, "min"), (1, "s")]
        var rest = milliseconds / 1000
        var parts: [String] = []
        for (seconds, name) in units where parts.count < 2 {
            let count = rest / seconds
            rest %= seconds
            if count > 0 { parts.append("\(count) \(name)") } else if !parts.isEmpty { break }
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }

    /// Two decimals at most, but never 0 for what is more: "0.7", "1.35", "0.001".
    static func number(_ value: Double) -> String {
        guard value.isFinite else { return "\(value)" }
        if value != 0, abs(value) < 0.005 { return small(value) }
        let hundredths = Int64((value * 100).rounded().clamped(to: -1e15...1e15))
        let whole = abs(hundredths) / 100
        let fraction = abs(hundredths) % 100
        let sign = hundredths < 0 ? "-" : ""
        if fraction == 0 { return sign + "\(whole)" }
        return sign + "\(whole)." + (fraction % 10 == 0 ? "\(fraction / 10)" : two(Int(fraction)))
    }

    /// One digit that counts, where two decimals have none.
    private static func small(_ value: Double) -> String {
        var scaled = abs(value)
        var zeros = 0
        while scaled < 0.095, zeros < 12 {
            scaled *= 10
            zeros += 1
        }
        let digit = Int((scaled * 10).rounded())
        return (value < 0 ? "-" : "") + "0." + String(repeating: "0", count: zeros) + "\(digit)"
    }

    /// Whole per cent: "56 %"; what is less than one as it is: "0.4 %".
    static func share(_ value: Double) -> String {
        let percent = value * 100
        return number(abs(percent) < 1 ? percent : percent.rounded()) + " %"
    }

    /// What is learned is never sure: "56 %", "under 1 %", "over 99 %".
    static func likelihood(_ value: Double) -> String {
        let percent = (value * 100).rounded()
        return percent < 1 ? "under 1 %" : percent > 99 ? "over 99 %" : number(percent) + " %"
    }

    /// "12 min", "4 h", "1.5 h".
    static func hours(_ hours: Double) -> String {
        let minutes = (hours * 60).rounded()
        if minutes < 1 { return "under 1 min" }
        return minutes < 60 ? number(minutes) + " min" : number((hours * 10).rounded() / 10) + " h"
    }

    static func size(_ bytes: Int64) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
        var value = Double(bytes)
        var unit = 0
        while value >= 1024 && unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return number(value) + " " + units[unit]
    }

    static func count(_ number: Int, _ singular: String) -> String {
        number == 1 ? "1 \(singular)" : "\(number) \(singular)s"
    }

    static func list(_ items: [String]) -> String {
        switch items.count {
        case 0: ""
        case 1: items[0]
        default: items.dropLast().joined(separator: ", ") + " and " + items[items.count - 1]
        }
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Double {
    func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
