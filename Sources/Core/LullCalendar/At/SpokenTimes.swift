import LullModel

/// Invalid times that people often write: `4am`, `every day at 4`, `every 5 minutes`, a line of a crontab.
///
/// Only used for a text that is no valid time, so it never changes the meaning of one.
enum SpokenTimes {
    static func fault(_ words: AtWords) -> AtFault? {
        guard let first = words.first, words.count <= 200 else { return nil }
        let range = first.lowerBound..<words.end
        if words.isCron, words.words.count > 5 { return beyondFields(words) }
        let spoken = words.words.map { words[$0].lowercased() }
        if let span = span(spoken) { return AtFault(.interval(span), at: range) }
        return times(spoken).map { AtFault(.spoken(meant: $0), at: range) }
    }

    /// Five fields and a command, or a sixth field for seconds before them.
    private static func beyondFields(_ words: AtWords) -> AtFault? {
        let all = words.words
        let (head, rest) = (all.prefix(5), all.dropFirst(5))
        func text(_ ranges: some Collection<Range<Int>>) -> String {
            ranges.map { words[$0] }.joined(separator: " ")
        }
        guard let begin = rest.first?.lowerBound else { return nil }
        // `0 5 4 * * *`: the seconds are the first field.
        let isSeconds =
            all.count == 6 && words[all[0]] == "0" && rest.allSatisfy { !words.isLetter($0.lowerBound) }
        if isSeconds { return AtFault(.beyondFields("0", five: text(all.dropFirst())), at: all[0]) }
        return AtFault(.beyondFields(String(text(rest).prefix(40)), five: text(head)), at: begin..<words.end)
    }

    /// `every 5 minutes`, `5m`
    private static func span(_ words: [String]) -> String? {
        var rest = words[...]
        if rest.first == "every" || rest.first == "each" { rest = rest.dropFirst() }
        let text = rest.joined()
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), count > 0, count < 100_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "m", "min", "mins", "minute", "minutes": return "\(count)m"
        case "h", "hr", "hrs", "hour", "hours": return "\(count)h"
        case "d", "day", "days": return "\(count)d"
        case "w", "week", "weeks": return "\(count)w"
        case "s", "sec", "secs", "second", "seconds": return "\(count)s"
        default: return nil
        }
    }

    /// `noon`, `4 am`, `every day at 4`, `weekdays at 9:30pm`
    private static func times(_ words: [String]) -> String? {
        var rest = words.filter { !["at", "on", "every", "each", "the", "o'clock"].contains($0) }[...]
        var day: String?
        if let word = rest.first, let name = days(word) {
            day = name
            rest = rest.dropFirst()
        }
        let text = rest.joined()
        if text.isEmpty {
            return day.flatMap { $0.first?.isUppercase == true ? $0 + " 00:00" : $0 }
        }
        // A number alone is an hour only together with words.
        guard day != nil || words.count > 1 || text.contains(where: \.isLetter) else { return nil }
        return clock(text).map { (day ?? "daily") + " " + $0 }
    }

    private static func days(_ word: String) -> String? {
        switch word {
        case "day", "daily", "night", "nightly", "everyday", "days": return "daily"
        case "hour", "hourly": return "hourly"
        case "weekday", "weekdays", "workdays": return "Mon-Fri"
        case "weekend", "weekends": return "Sat,Sun"
        case "month", "monthly": return "monthly"
        case "year", "yearly": return "yearly"
        case "week", "weekly": return "weekly Mon"
        default:
            let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            let stem = word.hasSuffix("s") ? String(word.dropLast()) : word
            guard stem.count >= 3, let name = names.first(where: { $0.hasPrefix(stem) }) else { return nil }
            return name.prefix(1).uppercased() + name.dropFirst().prefix(2)
        }
    }

    /// `4`, `4am`, `16:30`, `noon`
    private static func clock(_ text: String) -> String? {
        if text == "noon" || text == "midday" { return "12:00" }
        if text == "midnight" { return "00:00" }
        var rest = text[...]
        var isAfternoon: Bool?
        for (ending, value) in [("a.m.", false), ("p.m.", true), ("am", false), ("pm", true), ("h", nil)]
        where rest.hasSuffix(ending) {
            rest = rest.dropLast(ending.count)
            isAfternoon = value
            break
        }
        let parts = rest.split(omittingEmptySubsequences: false) { $0 == ":" || $0 == "." }
        guard (1...2).contains(parts.count), (1...2).contains(parts[0].utf8.count),
            parts.count == 1 || parts[1].utf8.count == 2,
            var hour = Int(parts[0]), let minute = parts.count == 2 ? Int(parts[1]) : 0,
            (0...59).contains(minute)
        else { return nil }
        if let isAfternoon {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isAfternoon ? 12 : 0)
        }
        guard (0...23).contains(hour) else { return nil }
        return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute)"
    }
}
