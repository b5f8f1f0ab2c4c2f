/// Durations as the manifest writes them: a whole number and one unit, `90s`, `15m`, `4h`, `7d`, `1w`.
enum DurationText {
    private static let seconds: [UInt8: Int64] = [
        UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86400,
        UInt8(ascii: "w"): 604_800,
    ]

    static func parse(_ text: ArraySlice<UInt8>) -> Duration? {
        let digits = text.dropLast()
        guard let unit = text.last, let scale = seconds[unit], !digits.isEmpty,
            digits.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") })
        else { return nil }
        // A number that is too large to count gives the longest duration, which no key takes.
        let longest = Int64.max / 1_000_000_000 / scale
        return .seconds(min(wholeNumber(digits) ?? longest, longest) * scale)
    }

    /// Digits and nothing else, at most 15 of them.
    static func wholeNumber(_ text: ArraySlice<UInt8>) -> Int64? {
        guard !text.isEmpty, text.count <= 15 else { return nil }
        var value: Int64 = 0
        for byte in text {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return value
    }

    /// A duration in the largest unit that keeps it whole, up to days.
    static func text(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        if duration.components.attoseconds != 0 {
            return "\(Double(duration.components.attoseconds) * 1e-18 + Double(seconds))s"
        }
        for (unit, scale) in [("d", Int64(86400)), ("h", 3600), ("m", 60)]
        where seconds != 0 && seconds % scale == 0 {
            return "\(seconds / scale)\(unit)"
        }
        return "\(seconds)s"
    }

    /// For sentences: `7d`, `62h 10m`.
    static func spoken(_ duration: Duration) -> String {
        let minutes = Int(duration.components.seconds / 60)
        return minutes < 60 || minutes % 60 == 0 ? text(duration) : "\(minutes / 60)h \(minutes % 60)m"
    }

    /// The manifest's form of `15 min`, `1h30m`, `1.5h` or `PT15M`; nil if it would be a guess.
    static func remedy(for text: String) -> String? {
        var rest = text.lowercased().filter { $0 != " " && $0 != "_" }[...]
        guard rest.utf8.count <= 32 else { return nil }
        switch rest {
        case "hourly": return "1h"
        case "daily", "nightly": return "1d"
        case "weekly": return "7d"
        default: break
        }
        for word in ["every", "each"] where rest.hasPrefix(word) {
            rest = rest.dropFirst(word.count)
            // `every hour`
            if scale(of: String(rest)) != nil { rest = "1" + rest }
        }
        if rest.hasPrefix("p") { rest = rest.dropFirst() }
        var total = 0.0
        while !rest.isEmpty {
            if rest.hasPrefix("t") { rest = rest.dropFirst() }
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(digits.count)
            let word = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(word.count)
            guard let count = Double(digits), let scale = scale(of: String(word)) else { return nil }
            total += count * scale
        }
        guard total >= 1, total < 1e9, total == total.rounded() else { return nil }
        return self.text(.seconds(Int64(total)))
    }

    private static func scale(of word: String) -> Double? {
        switch word {
        case "ms", "msec", "millisecond", "milliseconds": 0.001
        case "s", "sec", "secs", "second", "seconds": 1
        case "m", "min", "mins", "minute", "minutes": 60
        case "h", "hr", "hrs", "hour", "hours": 3600
        case "d", "day", "days": 86400
        case "w", "wk", "week", "weeks": 604_800
        default: nil
        }
    }
}
