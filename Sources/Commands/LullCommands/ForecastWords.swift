import Foundation
import LullModel

/// How spans, sums and rates of a forecast are written for people.
package enum ForecastWords {
    /// "41", "2.6": a sum of weights.
    package static func count(_ evidence: Double) -> String {
        let text = String(format: evidence < 9.95 ? "%.1f" : "%.0f", evidence)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// "0.82", "14": two digits that count.
    package static func rate(_ rate: Double) -> String {
        rate >= 9.95 ? String(format: "%.0f", rate) : rate >= 0.0995 ? shortest(rate, 2) : shortest(rate, 3)
    }

    private static func shortest(_ value: Double, _ decimals: Int) -> String {
        var text = String(format: "%.\(decimals)f", value)
        while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// "today 08:15–09:15", "tomorrow 23:30–00:45", "Mon 08:15–09:15".
    package static func span(_ span: ForecastReport.Span, _ phrases: Phrases) -> String {
        let start = phrases.time(span.from)
        return (start.contains(" ") ? start : "today " + start) + "–"
            + Phrase.clock(span.to, in: phrases.zone)
    }
}
