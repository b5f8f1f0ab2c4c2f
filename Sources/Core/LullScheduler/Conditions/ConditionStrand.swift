import LullModel

/// One condition, or one set of them, through the hours of the week: how often it opened and closed there.
///
/// A life table. For each hour of the week it counts in how many of the hours that began closed the condition opened
/// (and the reverse); an hour that was watched in part counts in part. This can be learned without bias from a
/// condition that is watched only while a task waits for it. The share of the time for which it held can't, for the
/// watch ends when the condition opens. Old weeks count less, by half every four.
struct ConditionStrand: Sendable, Equatable, Codable {
    /// For one state: the hours at risk, and how many of them saw its end.
    struct Table: Sendable, Equatable, Codable {
        var risk = [Float](repeating: 0, count: 168)
        var ends = [Float](repeating: 0, count: 168)

        mutating func scale(by factor: Float) {
            for hour in risk.indices {
                risk[hour] *= factor
                ends[hour] *= factor
            }
        }
    }

    let name: String
    /// Whether it held at `last`.
    private(set) var isOpen = false
    private(set) var last: WallTime
    /// Where the span that was folded in before ended, and how: an import may be of a time before `last`.
    private var foldedTo: WallTime
    private var foldedOpen = false
    /// Hours watched in all.
    private(set) var hours = 0.0
    private(set) var first: WallTime
    private var week: Int64
    private(set) var closed = Table()
    private(set) var open = Table()

    private static let hour: Int64 = 3_600_000

    init(name: String, at time: WallTime) {
        self.name = name
        last = time
        foldedTo = time
        first = time
        week = time.seconds / 604_800
    }

    /// It held for `share` of the time from `start` to `end`, and from then on it is open or not.
    mutating func note(
        share: Double, isOpen isOpenNow: Bool, from start: WallTime, to end: WallTime, zone: Zone
    ) {
        let length = Double((end - start).milliseconds)
        if length > 0 {
            let before = foldedTo == start ? foldedOpen : nil
            let openFor = Duration.milliseconds(Int64((share * length).rounded()))
            for spell in spells(before: before, openFor: openFor, from: start, to: end, after: isOpenNow) {
                add(spell, zone: zone)
            }
            hours += length / Double(Self.hour)
            first = min(first, start)
        }
        foldedTo = end
        foldedOpen = isOpenNow
        // An imported event of the past says nothing of the present.
        if end >= last {
            last = end
            isOpen = isOpenNow
        }
    }

    private struct Spell {
        let isOpen: Bool
        let from: WallTime
        let to: WallTime
        /// It ended at `to`, and did not only cease to be watched.
        let ends: Bool
    }

    /// The spells that make up a span. One change within it lies where the share puts it; two enclose a spell in
    /// the middle.
    private func spells(
        before: Bool?, openFor: Duration, from start: WallTime, to end: WallTime, after: Bool
    ) -> [Spell] {
        let length = end - start
        if openFor <= .zero || openFor >= length {
            let state = openFor > .zero
            let body = Spell(isOpen: state, from: start, to: end, ends: after != state)
            return before == !state
                ? [Spell(isOpen: !state, from: start, to: start, ends: true), body] : [body]
        }
        let first = before ?? !after
        if first != after {
            let change = first ? start + openFor : end - openFor
            return [
                Spell(isOpen: first, from: start, to: change, ends: true),
                Spell(isOpen: after, from: change, to: end, ends: false),
            ]
        }
        let inner = first ? length - openFor : openFor
        let from = start + (length - inner) / 2
        return [
            Spell(isOpen: first, from: start, to: from, ends: true),
            Spell(isOpen: !first, from: from, to: from + inner, ends: true),
            Spell(isOpen: first, from: from + inner, to: end, ends: false),
        ]
    }

    private mutating func add(_ spell: Spell, zone: Zone) {
        let weight = weight(of: spell.to)
        var table = spell.isOpen ? open : closed
        var time = spell.from
        while time < spell.to {
            let (hour, end) = Self.hourOfWeek(time, zone)
            let isLast = spell.ends && spell.to < end
            // The hour in which it ended counts to its own end: it was at risk for all of that.
            let until = isLast ? end : min(end, spell.to)
            table.risk[hour] += weight * Float((until - time).milliseconds) / Float(Self.hour)
            if isLast { table.ends[hour] += weight }
            time = until
        }
        if spell.ends, time == spell.to {
            let (hour, end) = Self.hourOfWeek(time, zone)
            table.risk[hour] += weight * Float((end - time).milliseconds) / Float(Self.hour)
            table.ends[hour] += weight
        }
        if spell.isOpen { open = table } else { closed = table }
    }

    private mutating func weight(of time: WallTime) -> Float {
        let its = time.seconds / 604_800
        if its > week {
            let factor = Self.decay(weeks: its - week)
            closed.scale(by: factor)
            open.scale(by: factor)
            week = its
        }
        return Self.decay(weeks: week - its)
    }

    private static func decay(weeks: Int64) -> Float {
        var factor: Float = 1
        // The fourth root of a half, without a library of mathematics.
        for _ in 0..<min(weeks, 400) { factor *= 0.840_896_4 }
        return factor
    }

    /// The hour of the local week, Monday 00:00 first, and when it ends.
    static func hourOfWeek(_ time: WallTime, _ zone: Zone) -> (hour: Int, end: WallTime) {
        let offset = Int64(zone.offset(at: time)) * 1000
        let local = time.milliseconds + offset
        let count = local >= 0 ? local / hour : (local - hour + 1) / hour
        // 1970-01-01 was a Thursday.
        let index = ((count + 72) % 168 + 168) % 168
        return (Int(index), WallTime(milliseconds: (count + 1) * hour - offset))
    }
}
