/// The past spans like one asked about that saw a use, weighed by their age.
struct Hits {
    var weekday = 0.0
    var sort = 0.0
    var everyDay = 0.0

    init() {}

    /// Looks at the span from the time of day of `slot` on, on each kept day at least `lead` days back.
    init(in raster: UsageRaster, span: Span, at slot: Int, lead: Int) {
        let day = slot.dividedDown(by: UsageRaster.slotsPerDay)
        let slotOfDay = slot - day * UsageRaster.slotsPerDay
        guard raster.hasUse(atTimesOfDay: slotOfDay - UsageForecast.reach, count: span.bits) else { return }
        let isFree = isWeekend(day)
        // A span that begins before the observed days is none that was observed.
        let firstDay = raster.firstDay ?? .max
        raster.forEachDay { past, row in
            let back = day - past
            guard back >= lead, past >= firstDay else { return }
            let bits = raster.bits(
                from: past * UsageRaster.slotsPerDay + slotOfDay - UsageForecast.reach, count: span.bits,
                near: row)
            guard bits != 0 else { return }
            add(
                span.share(of: bits) * Decay.weight(age: back - lead + 1),
                isSameSort: isWeekend(past) == isFree,
                isSameWeekday: back % 7 == 0)
        }
    }

    mutating func add(_ hit: Double, isSameSort: Bool, isSameWeekday: Bool) {
        everyDay += hit
        if isSameSort { sort += hit }
        if isSameWeekday { weekday += hit }
    }
}

/// A span laid over a row of quarter-hours, blurred by the kernel.
///
/// The probability that the span holds a use if each use had come a little earlier or later: one use gives the
/// kernel's mass inside the span, and several uses never count twice.
struct Span {
    /// How many slots the span covers in full.
    private let whole: Int
    /// How much of one more it covers, 0..<1.
    private let part: Double
    /// The weight of each shift of the span; one more than the kernel has, for a start within a slot.
    private let shifts: [Double]

    init(slots: Double, fraction: Double) {
        whole = Int(slots)
        part = slots - slots.rounded(.down)
        let kernel = UsageForecast.kernel
        shifts = (0...kernel.count).map { index in
            (index < kernel.count ? (1 - fraction) * kernel[index] : 0)
                + (index > 0 ? fraction * kernel[index - 1] : 0)
        }
    }

    /// How many slots, from `UsageForecast.reach` before its start on, the span can touch.
    var bits: Int { whole + 1 + shifts.count }

    func share(of bits: UInt128) -> Double {
        let covered: UInt128 = (1 << UInt128(whole)) - 1
        let covering: UInt128 = (1 << UInt128(whole + 1)) - 1
        var share = 0.0
        for (shift, weight) in shifts.enumerated() {
            let seen = bits >> UInt128(shift)
            if seen & covered != 0 {
                share += weight
            } else if seen & covering != 0 {
                share += weight * part
            }
        }
        return share
    }
}
