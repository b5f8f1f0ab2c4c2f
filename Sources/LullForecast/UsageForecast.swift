public import LullModel
import RealModule

/// When an app is used, learned from when it was.
///
/// A forecast keeps which quarter-hours of the last sixteen weeks with a use saw one, and answers with the share of
/// like spans in which there was: at this hour of the week, leaning on this hour of like days and of all days
/// while there is little of it. Old evidence halves every two weeks. An empty history forecasts the same everywhere,
/// so a new app is neither favoured nor starved.
///
/// Pure and bounded: under 2 KiB for an app. The order in which uses are learned makes no difference.
public struct UsageForecast: Sendable, Equatable, Codable {
    var raster = UsageRaster()
    var sessions = Sessions()

    /// Uses a day that are expected of an app of which nothing is known, spread evenly.
    static let priorUsesPerDay = 1.0
    /// Days of observation that the prior weighs as much as.
    static let priorDays = 3.0
    /// Days of observation that all days together weigh as much as, against like days.
    static let everyDayWeight = 2.0
    /// Weeks of observation that like days weigh as much as, against the same day of the week.
    static let sortWeight = 1.0
    /// How far around its time a use counts: binomial, 21 minutes of standard deviation, at most an hour.
    static let kernel: [Double] = [1, 8, 28, 56, 70, 56, 28, 8, 1].map { $0 / 256 }
    static let reach = 4

    /// For so many quarter-hours the hazard is told of each; beyond a day ahead of half-hours, which takes half the time.
    static let exactSteps = 96

    public init() {}

    public mutating func learn(useAt time: WallTime, zone: Zone) {
        raster.insert(slot: LocalSlot(time, zone: zone).slot)
        sessions.insert(second: time.clamped.seconds, offset: zone.offset(at: time.clamped))
    }

    /// When the latest session began; uses less than half an hour apart are one session.
    public var lastUse: WallTime? { sessions.lastStart.map(WallTime.init(seconds:)) }

    /// What its arrays hold, in bytes; at most 4 KiB.
    public var bytes: Int {
        sessions.starts.count * 5 + raster.words.count * 4 + raster.weeks.count * MemoryLayout<Int>.size
    }

    /// Whether a use at `time` would begin a session.
    public func isNewSession(at time: WallTime) -> Bool { sessions.isNew(second: time.clamped.seconds) }

    /// How many sessions are known, at most 512.
    public var known: Int { sessions.count }

    /// The hazard of the next session in each quarter-hour from `from` on, given that there is none until then.
    ///
    /// Nil where nothing is known, or where the clock was set back beyond the latest use. A week is as far as it was ever
    /// learned; `steps` is at most that.
    public func hazards(from: WallTime, steps: Int, zone: Zone) -> Hazards? {
        let from = from.clamped
        guard let last = sessions.lastStart, from.seconds >= last, steps > 0 else { return nil }
        let start = Int(from.seconds)
        // Beyond a day nothing is looked up more precisely than by an hour: a zone changes its offset at most twice a year.
        let count = min(steps, 672)
        let features = Features(sessions, from: start, count: count, paired: Self.exactSteps) { second in
            zone.offset(at: WallTime(seconds: Int64(second)))
        }
        let told = HazardNetwork.shipped.hazards(features)
        var values = (0..<count).map { step in
            told[step < Self.exactSteps ? step : Self.exactSteps + (step - Self.exactSteps) / 2]
        }
        // The next session begins at least half an hour after the last.
        let quiet = Int(last + Sessions.gap) - start
        for step in values.indices where step * 900 + 450 < quiet { values[step] = 0 }
        return Hazards(from: from, values: values)
    }

    /// P(at least one use in [from, from + span)); `zone` turns instants into hours of the week.
    ///
    /// What lies after `known` is not taken for time without use; nil: everything before `from` is known.
    public func probability(
        ofUseWithin span: Duration, from: WallTime, zone: Zone, known: WallTime? = nil
    ) -> Double {
        let slots = span.inSeconds / Double(LocalSlot.seconds)
        guard slots > 0 else { return 0 }
        let from = from.clamped
        let known = min(known?.clamped ?? from, from)
        let slotsPerDay = Double(UsageRaster.slotsPerDay)
        if slots <= slotsPerDay { return withinDay(slots: slots, from: from, zone: zone, known: known) }

        // A day and the next are taken as independent; after a week the week is repeated.
        var noneInWeek = 1.0
        var noneInRest = 1.0
        let weeks = (slots / (7 * slotsPerDay)).rounded(.down)
        let rest = slots - weeks * 7 * slotsPerDay
        for day in 0..<7 {
            let left = rest - Double(day) * slotsPerDay
            if weeks == 0 && left <= 0 { break }
            let start = from + .days(day)
            noneInWeek *= 1 - withinDay(slots: slotsPerDay, from: start, zone: zone, known: known)
            if left > 0 {
                noneInRest *=
                    1 - withinDay(slots: min(left, slotsPerDay), from: start, zone: zone, known: known)
            }
        }
        return 1 - (weeks > 0 ? Double.pow(noneInWeek, weeks) : 1) * noneInRest
    }

    /// A span of at most a day.
    private func withinDay(slots: Double, from: WallTime, zone: Zone, known: WallTime) -> Double {
        let prior = 1 - Double.exp(-Self.priorUsesPerDay * slots / Double(UsageRaster.slotsPerDay))
        guard let firstDay = raster.firstDay else { return prior }
        let local = LocalSlot(from, zone: zone)
        let knownSlot = known == from ? local.slot : LocalSlot(known, zone: zone).slot
        // The nearest day back whose like span lies in what is known.
        let end = local.slot + Int(slots.rounded(.up))
        let lead = max(1, -(knownSlot - end).dividedDown(by: UsageRaster.slotsPerDay))
        let hits = Hits(
            in: raster, span: Span(slots: slots, fraction: local.fraction), at: local.slot, lead: lead)
        let exposure = Exposure(of: local.day, lead: lead, firstDay: firstDay)
        return Self.mix(hits, over: exposure, prior: prior)
    }

    /// The share at this hour of the week, leaning on like days, these on all days, these on the prior.
    static func mix(_ hits: Hits, over exposure: Exposure, prior: Double) -> Double {
        let everyDay = (hits.everyDay + priorDays * prior) / (exposure.everyDay + priorDays)
        let sort = (hits.sort + everyDayWeight * everyDay) / (exposure.sort + everyDayWeight)
        return (hits.weekday + sortWeight * sort) / (exposure.weekday + sortWeight)
    }
}

/// An instant as a quarter-hour of local time, counted from the Monday before 1970.
struct LocalSlot {
    static let seconds = 900
    let slot: Int
    /// How much of the quarter-hour has passed, 0..<1.
    let fraction: Double

    init(_ time: WallTime, zone: Zone) {
        let time = time.clamped
        // 1970-01-01 was a Thursday, three days after a Monday.
        let local = Int(time.seconds) + zone.offset(at: time) + 3 * 86400
        slot = local.dividedDown(by: Self.seconds)
        fraction = Double(local - slot * Self.seconds) / Double(Self.seconds)
    }

    var day: Int { slot.dividedDown(by: UsageRaster.slotsPerDay) }
}

extension WallTime {
    /// Within what can be reckoned with.
    var clamped: WallTime { max(.distantPast, min(self, .distantFuture)) }
}
