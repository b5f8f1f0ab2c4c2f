import LullForecast
import LullModel

/// The spans ahead in which a use is likeliest: peaks of the forecast, each with the slots around it that are at
/// least half as likely.
///
/// A slot that is hardly likelier than the rest is no peak, so an even forecast has none. Spans lie on the
/// quarter-hours of the clock, the first begins now.
struct LikelyUses {
    let until: WallTime
    /// In ascending order.
    let spans: [ForecastReport.Span]

    private static let near = 48 * 4
    /// How much likelier than the mean a peak is.
    private static let prominence = 1.5
    /// The longest span, in quarter-hours: what is likely all day is listed in parts.
    private static let longest = 4 * 4
    /// A span that is less likely than this share of the likeliest is not worth a line.
    private static let leastShare = 0.2

    /// Looks two days ahead, or a week where a use within two days is no more likely than not; in slots of `step`
    /// quarter-hours.
    init(of week: WeekAhead, step: Int = 1, limit: Int = 6) {
        let reach = week.probability(0..<Self.near) < 0.5 ? WeekAhead.steps : Self.near
        until = week.time(ofStep: reach)
        // A span that begins in time is listed to its end.
        let count = min(reach + Self.longest, WeekAhead.steps) / step
        let slots = (0..<count).map { week.rates[$0 * step..<($0 + 1) * step].reduce(0, +) }
        func border(_ place: Int) -> WallTime {
            place == 0
                ? week.from : RefreshPlan.gridPoint(after: week.time(ofStep: place * step) - .seconds(450))
        }
        let all = Self.peaks(of: slots, longest: max(1, Self.longest / step)).map { range in
            ForecastReport.Span(
                from: border(range.lowerBound), to: border(range.upperBound),
                probability: week.probability(range.lowerBound * step..<range.upperBound * step))
        }
        let end = until
        let likeliest = all.filter { $0.from < end }.sorted { $0.probability > $1.probability }
        let bar = Self.leastShare * (likeliest.first?.probability ?? 0)
        spans = likeliest.prefix(limit).filter { $0.probability >= bar }.sorted { $0.from < $1.from }
    }

    /// The first that is at least half as likely as the likeliest.
    var next: ForecastReport.Span? {
        let most = spans.map(\.probability).max() ?? 0
        return spans.first { $0.probability >= most / 2 }
    }

    /// Ranges of slots around each peak, in ascending order; peaks without a valley between them are one.
    static func peaks(of slots: [Double], longest: Int) -> [Range<Int>] {
        guard !slots.isEmpty else { return [] }
        let bar = prominence * slots.reduce(0, +) / Double(slots.count)
        var isTaken = [Bool](repeating: false, count: slots.count)
        var ranges: [Range<Int>] = []
        let order = slots.indices.sorted { slots[$0] != slots[$1] ? slots[$0] > slots[$1] : $0 < $1 }
        for peak in order {
            guard slots[peak] > bar else { break }
            guard !isTaken[max(0, peak - 1)...min(slots.count - 1, peak + 1)].contains(true) else { continue }
            // The slope beside a span that was cut at its longest is no peak of its own.
            guard peak == 0 || slots[peak - 1] <= slots[peak],
                peak + 1 == slots.count || slots[peak + 1] <= slots[peak]
            else { continue }
            let half = slots[peak] / 2
            var range = peak..<peak + 1
            while range.count < longest {
                let before = range.lowerBound - 1
                let after = range.upperBound
                let low = before >= 0 && !isTaken[before] && slots[before] >= half ? slots[before] : nil
                let high = after < slots.count && !isTaken[after] && slots[after] >= half ? slots[after] : nil
                guard low != nil || high != nil else { break }
                range =
                    (high ?? -1) >= (low ?? -1)
                    ? range.lowerBound..<after + 1 : before..<range.upperBound
            }
            for slot in range { isTaken[slot] = true }
            ranges.append(range)
        }
        return joined(ranges, longest: longest)
    }

    /// Ranges that touch become one, as far as it is not too long.
    private static func joined(_ ranges: [Range<Int>], longest: Int) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, last.upperBound == range.lowerBound,
                range.upperBound - last.lowerBound <= longest
            {
                joined[joined.count - 1] = last.lowerBound..<range.upperBound
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
