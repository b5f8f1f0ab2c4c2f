/// Reads a span as systemd writes it, `1h 30min`, and writes it as a manifest does, `90m`.
enum UnitSpan {
    private static let units: [(names: [String], milliseconds: Int64)] = [
        (["us", "usec", "µs"], 0), (["ms", "msec"], 1), (["", "s", "sec", "second", "seconds"], 1000),
        (["m", "min", "minute", "minutes"], 60_000), (["h", "hr", "hour", "hours"], 3_600_000),
        (["d", "day", "days"], 86_400_000), (["w", "week", "weeks"], 7 * 86_400_000),
        (["M", "month", "months"], 2_629_800_000), (["y", "year", "years"], 31_557_600_000),
    ]

    /// 35,000 years, in milliseconds.
    private static let longest: Int64 = 1 << 50

    /// Whole seconds, rounded up; nil: it is no span, or has no end.
    static func seconds(_ text: String) -> Int64? {
        var rest = text[...]
        var total: Int64 = 0
        var isEmpty = true
        while true {
            rest = rest.drop { $0 == " " }
            if rest.isEmpty { break }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest[digits.endIndex...].drop { $0 == " " }
            let name = String(rest.prefix { $0.isLetter || $0 == "µ" })
            rest = rest.dropFirst(name.count)
            guard let count = Int64(digits), let unit = units.first(where: { $0.names.contains(name) }),
                count < longest / max(unit.milliseconds, 1)
            else { return nil }
            // Microseconds are something, and a manifest has nothing finer than seconds.
            total += unit.milliseconds == 0 ? min(count, 1) : count * unit.milliseconds
            isEmpty = false
            guard total < longest else { return nil }
        }
        return isEmpty ? nil : (total + 999) / 1000
    }

    /// In the largest unit that leaves a whole number.
    static func text(_ seconds: Int64) -> String {
        let units: [(String, Int64)] = [("w", 604_800), ("d", 86_400), ("h", 3600), ("m", 60)]
        for (name, length) in units where seconds >= length && seconds % length == 0 {
            return "\(seconds / length)\(name)"
        }
        return "\(seconds)s"
    }
}
