import Foundation
import LullModel

/// How spans, probabilities and counts of a forecast are written for people.
enum ForecastWords {
    static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

    /// "72 %", "3.4 %", "under 0.1 %", "over 99 %".
    static func percent(_ share: Double) -> String {
        let share = min(max(share, 0), 1)
        if share > 0 && share < 0.001 { return "under 0.1 %" }
        if share > 0.995 && share < 1 { return "over 99 %" }
        let text = String(format: share < 0.0995 ? "%.1f" : "%.0f", share * 100)
        return (text.hasSuffix(".0") ? String(text.dropLast(2)) : text) + " %"
    }

    /// "41", "2.6": a sum of weights.
    static func count(_ evidence: Double) -> String {
        let text = String(format: evidence < 9.95 ? "%.1f" : "%.0f", evidence)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// "0.82", "14": two digits that count.
    static func rate(_ rate: Double) -> String {
        rate >= 9.95 ? String(format: "%.0f", rate) : rate >= 0.0995 ? shortest(rate, 2) : shortest(rate, 3)
    }

    private static func shortest(_ value: Double, _ decimals: Int) -> String {
        var text = String(format: "%.\(decimals)f", value)
        while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// "today 08:15–09:15", "tomorrow 23:30–00:45", "Mon 08:15–09:15".
    static func span(_ span: ForecastReport.Span, _ phrases: Phrases) -> String {
        let start = phrases.time(span.from)
        let end = phrases.zone.local(span.to)
        let clock = String(format: "%02d:%02d", end.hour, end.minute)
        return (start.contains(" ") ? start : "today " + start) + "–" + clock
    }

    static func uses(_ count: Int) -> String { count == 1 ? "1 use" : "\(count) uses" }
}
