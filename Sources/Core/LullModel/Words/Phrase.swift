/// The texts of spans and quantities for people, everywhere; `Phrase+Times.swift` has instants.
///
/// Each has one format, except spans, which have two: exact for promised or set spans, and short for measured ones.
package enum Phrase {
    private static let units: [(seconds: Int64, name: String)] = [
        (86_400, "d"), (3600, "h"), (60, "min"), (1, "s"),
    ]

    /// The two largest units: "6 d 23 h", "2 h 5 min", "1 min 30 s", "1.5 s", "250 ms".
    package static func span(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.milliseconds)
        if milliseconds > 0 && milliseconds < 1000 { return "\(milliseconds) ms" }
        if milliseconds < 10_000, milliseconds % 1000 != 0, milliseconds % 100 == 0 {
            return number(Double(milliseconds) / 1000) + " s"
        }
        var rest = milliseconds / 1000
        var parts: [String] = []
        for (seconds, name) in units where parts.count < 2 {
            let count = rest / seconds
            rest %= seconds
            if count > 0 { parts.append("\(count) \(name)") } else if !parts.isEmpty { break }
        }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }

    /// A measured span: "2 d 4 h", "3 min", "1.8 s", "240 ms". Minutes have no seconds: that would be too much detail.
    package static func about(_ span: Duration) -> String {
        let milliseconds = max(0, span.milliseconds)
        if milliseconds < 500 { return "\(milliseconds) ms" }
        if milliseconds < 9500 { return number((Double(milliseconds) / 100).rounded() / 10) + " s" }
        let seconds = milliseconds / 1000 + (milliseconds % 1000 >= 500 ? 1 : 0)
        return self.span(.seconds(seconds < 3600 && seconds >= 60 ? seconds / 60 * 60 : seconds))
    }

    /// "4 min ago", "in 2 h".
    package static func ago(_ time: WallTime, seenFrom now: WallTime) -> String {
        let gap = time <= now ? now - time : time - now
        if gap < .seconds(1) { return "just now" }
        return time <= now ? about(gap) + " ago" : "in " + about(gap)
    }

    /// Two decimals at most, but never "0" for another number: "0.7", "1.35", "0.001".
    package static func number(_ value: Double) -> String {
        guard value.isFinite else { return "\(value)" }
        if value != 0, abs(value) < 0.005 { return small(value) }
        let hundredths = Int64((value * 100).rounded().clamped(to: -1e15...1e15))
        let whole = abs(hundredths) / 100
        let fraction = abs(hundredths) % 100
        let sign = hundredths < 0 ? "-" : ""
        if fraction == 0 { return sign + "\(whole)" }
        return sign + "\(whole)." + (fraction % 10 == 0 ? "\(fraction / 10)" : two(Int(fraction)))
    }

    /// One significant digit, for numbers that two decimals would round to 0.
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

    /// Whole per cent: "56 %"; less than one with decimals: "0.4 %".
    package static func share(_ value: Double) -> String {
        let percent = value * 100
        return number(abs(percent) < 1 ? percent : percent.rounded()) + " %"
    }

    /// A learned probability, which is never certain: "56 %", "under 1 %", "over 99 %".
    package static func likelihood(_ value: Double) -> String {
        let percent = (value * 100).rounded()
        return percent < 1 ? "under 1 %" : percent > 99 ? "over 99 %" : number(percent) + " %"
    }

    /// A probability with its significant digits: "72 %", "3.4 %", "under 0.1 %", "over 99 %".
    package static func percent(_ share: Double) -> String {
        let share = share.clamped(to: 0...1)
        if share > 0 && share < 0.001 { return "under 0.1 %" }
        if share > 0.995 && share < 1 { return "over 99 %" }
        let tenths = Int((share * 1000).rounded())
        return tenths < 100 && tenths % 10 != 0
            ? "\(tenths / 10).\(tenths % 10) %" : "\((tenths + 5) / 10) %"
    }

    /// "12 min", "4 h", "1.5 h".
    package static func hours(_ hours: Double) -> String {
        let minutes = (hours * 60).rounded()
        if minutes < 1 { return "under 1 min" }
        return minutes < 60 ? number(minutes) + " min" : number((hours * 10).rounded() / 10) + " h"
    }

    /// "12 B", "1.5 KiB", "14 MiB".
    package static func size(_ bytes: Int64) -> String {
        let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]
        var value = Double(bytes)
        var unit = 0
        while value >= 1024 && unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return number(value) + " " + units[unit]
    }

    /// "1 run", "2 runs", "2 launches".
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        number == 1 ? "1 \(singular)" : "\(number) \(plural ?? singular + "s")"
    }

    /// "a, b and c".
    package static func list(_ items: [String], _ word: String = "and") -> String {
        switch items.count {
        case 0: ""
        case 1: items[0]
        default: items.dropLast().joined(separator: ", ") + " \(word) " + items[items.count - 1]
        }
    }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Double {
    package func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
