import Foundation

extension Date {
    private static let nanosecondsPerSecond: Int64 = 1_000_000_000
    private static let referenceDate = Int64(Date.timeIntervalBetween1970AndReferenceDate)

    /// Nanoseconds since 1970, clamped to the range from 1 to `Int64.max`. Never 0, which means "no earlier bound".
    var unixNanoseconds: Int64 {
        // Whole seconds and the rest apart: together they have more digits than a Double.
        let interval = timeIntervalSinceReferenceDate
        let whole = interval.rounded(.down)
        guard let seconds = Int64(exactly: whole) else { return interval < 0 ? 1 : .max }
        let rest = Int64(((interval - whole) * 1e9).rounded())
        let since1970 = seconds.addingReportingOverflow(Self.referenceDate)
        let product = since1970.partialValue.multipliedReportingOverflow(by: Self.nanosecondsPerSecond)
        let sum = product.partialValue.addingReportingOverflow(rest)
        if since1970.overflow || product.overflow || sum.overflow { return interval < 0 ? 1 : .max }
        return max(sum.partialValue, 1)
    }

    init(unixNanoseconds: Int64) {
        let (seconds, rest) = unixNanoseconds.quotientAndRemainder(dividingBy: Self.nanosecondsPerSecond)
        self.init(timeIntervalSinceReferenceDate: Double(seconds - Self.referenceDate) + Double(rest) / 1e9)
    }
}
