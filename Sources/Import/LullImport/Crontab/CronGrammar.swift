/// The five fields of a line as cron itself reads them, which decides whether cron takes the line at all.
///
/// `ExactTimes` decides what they mean. Debian's rules were tried field by field, cronie's follow its `entry.c`.
enum CronGrammar {
    enum Reading: Equatable {
        case times
        /// It takes the line, and no time matches: Sunday is 0 in `mon-sun`.
        case never
        /// The fault, in cron's own words.
        case fault(String)
    }

    private static let fields: [(name: String, range: ClosedRange<Int>, names: [String])] = [
        ("minute", 0...59, []), ("hour", 0...23, []), ("day-of-month", 1...31, []),
        (
            "month", 1...12,
            ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        ),
        ("day-of-week", 0...7, ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]),
    ]
    /// The names of months and days of the week.
    static let names = Set(fields.flatMap(\.names))
    private static let words: Set<String> = [
        "@reboot", "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly",
    ]

    static func reading(of schedule: String, by cron: CronKind) -> Reading {
        let parts = schedule.split(separator: " ")
        if let word = parts.first, word.hasPrefix("@") {
            return words.contains(String(word)) ? .times : .fault("bad time specifier")
        }
        var empty: Set<String> = []
        for (part, field) in zip(parts, fields) {
            guard let found = numbers(part, field.range, field.names, cron) else {
                return .fault("bad " + field.name)
            }
            if found == 0 { empty.insert(field.name) }
        }
        // If neither field of a day begins with an asterisk, one match is enough.
        let days = empty.intersection(["day-of-month", "day-of-week"])
        let isEither = parts.count == 5 && parts[2].first != "*" && parts[4].first != "*"
        return empty.count > days.count || days.count > (isEither ? 1 : 0) ? .never : .times
    }

    /// How many numbers the field has; nil: the field is invalid.
    private static func numbers(
        _ field: Substring, _ range: ClosedRange<Int>, _ names: [String], _ cron: CronKind
    ) -> Int? {
        var count = 0
        for part in field.split(separator: ",", omittingEmptySubsequences: false) {
            guard let found = span(part, range, names, cron) else { return nil }
            count += found
        }
        return count
    }

    private static func span(
        _ part: Substring, _ range: ClosedRange<Int>, _ names: [String], _ cron: CronKind
    ) -> Int? {
        var rest = part
        if cron == .cronie, rest.contains("~") {
            let ends = rest.split(separator: "~", omittingEmptySubsequences: false)
            let low = ends.first.flatMap { $0.isEmpty ? range.lowerBound : Int($0) }
            let high = ends.last.flatMap { $0.isEmpty ? range.upperBound : Int($0) }
            guard ends.count == 2, let low, let high, low <= high else { return nil }
            return range.contains(low) && range.contains(high) ? 1 : nil
        }
        let low: Int
        var high: Int
        if rest.first == "*" {
            (low, high) = (range.lowerBound, range.upperBound)
            rest = rest.dropFirst()
        } else {
            guard let first = number(&rest, names, range.lowerBound) else { return nil }
            (low, high) = (first, first)
            if rest.first == "-" {
                rest = rest.dropFirst()
                guard let last = number(&rest, names, range.lowerBound) else { return nil }
                high = last
                if cron == .cronie, low > high { return nil }
            } else if rest.first == "/" {
                return nil
            }
            if cron == .cronie, let next = rest.first, next != "/" { return nil }
        }
        if rest.first == "/" {
            rest = rest.dropFirst()
            guard let step = number(&rest, [], 0), step > 0 else { return nil }
        }
        // cron holds only the numbers that it sets to the range, and ignores what stands behind them.
        if low > high { return 0 }
        return range.contains(low) && range.contains(high) ? 1 : nil
    }

    /// Debian's cron takes all letters and digits for one number or name, so that `0x5` is invalid.
    private static func number(_ rest: inout Substring, _ names: [String], _ offset: Int) -> Int? {
        let word = rest.prefix { $0.isASCII && ($0.isNumber || $0.isLetter) }
        rest = rest[word.endIndex...]
        return names.firstIndex(of: word.lowercased()).map { $0 + offset } ?? Int(word)
    }
}
