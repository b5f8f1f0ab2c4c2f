/// Which quarter-hours of which weeks saw a use: one bit each, for the last weeks that saw any.
///
/// A set of slots, so the order in which uses are learned leaves no trace, and a burst of uses is one bit.
/// Only weeks with a use have a row: a use with an absurd time costs a row, never the others.
struct UsageRaster: Sendable, Equatable {
    /// Beyond 16 weeks a use weighs less than 1/256 (`Decay`).
    static let capacity = 16
    static let slotsPerDay = 96
    static let slotsPerWeek = 672
    static let wordsPerWeek = 21

    /// Local weeks, Monday first, counted from the one that holds 1970-01-01; ascending.
    private(set) var weeks: [Int] = []
    /// 21 words of 32 slots for each week.
    private(set) var words: [UInt32] = []
    /// The times of day that saw a use on any kept day: most questions need to look no further.
    private(set) var timesOfDay: UInt128 = 0

    var isEmpty: Bool { weeks.isEmpty }

    /// The day of the earliest kept use.
    var firstDay: Int? {
        guard let week = weeks.first, let index = words.firstIndex(where: { $0 != 0 }) else { return nil }
        return week * 7 + index / 3
    }

    /// The day of the latest kept use.
    var lastDay: Int? {
        guard let week = weeks.last, let index = words.lastIndex(where: { $0 != 0 }) else { return nil }
        return week * 7 + index % Self.wordsPerWeek / 3
    }

    mutating func insert(slot: Int) {
        let week = slot.dividedDown(by: Self.slotsPerWeek)
        let bit = slot - week * Self.slotsPerWeek
        var row = weeks.lastIndex { $0 <= week } ?? -1
        if row < 0 || weeks[row] != week {
            if weeks.count == Self.capacity {
                // The earliest week makes room; what is earlier still is not kept.
                guard row >= 0 else { return }
                weeks.removeFirst()
                words.removeFirst(Self.wordsPerWeek)
                row -= 1
                gatherTimesOfDay()
            }
            row += 1
            weeks.insert(week, at: row)
            words.insert(contentsOf: repeatElement(0, count: Self.wordsPerWeek), at: row * Self.wordsPerWeek)
        }
        words[row * Self.wordsPerWeek + bit / 32] |= 1 << UInt32(bit % 32)
        timesOfDay |= 1 << UInt128(bit % Self.slotsPerDay)
    }

    private mutating func gatherTimesOfDay() {
        timesOfDay = words.enumerated().reduce(0) { times, next in
            times | UInt128(next.element) << UInt128(next.offset % 3 * 32)
        }
    }

    /// Whether any kept day saw a use at these times of day; `count` slots from `start` on, past midnight too.
    func hasUse(atTimesOfDay start: Int, count: Int) -> Bool {
        if count >= Self.slotsPerDay { return timesOfDay != 0 }
        let start = start - start.dividedDown(by: Self.slotsPerDay) * Self.slotsPerDay
        // Two days in a row, as far as 128 bits go, and what is left of the second.
        let mask: UInt128 = (1 << UInt128(count)) - 1
        let untilMidnight = timesOfDay >> UInt128(start)
        let afterMidnight = timesOfDay << UInt128(Self.slotsPerDay - start)
        return (untilMidnight | afterMidnight) & mask != 0
    }

    /// The days from which a span of a day, moved by an hour, can touch a kept week; each once, with a row near it.
    func forEachDay(_ body: (_ day: Int, _ row: Int) -> Void) {
        var next = Int.min
        for row in weeks.indices {
            let days = max(next, weeks[row] * 7 - 2)...weeks[row] * 7 + 7
            for day in days { body(day, row) }
            next = days.upperBound + 1
        }
    }

    /// `count` slots from `start` on, the first in the lowest bit; `row` is a week at or next to them.
    func bits(from start: Int, count: Int, near row: Int) -> UInt128 {
        let first = start.dividedDown(by: 32)
        let skipped = start - first * 32
        let base = first - weeks[row] * Self.wordsPerWeek
        var bits = UInt128(word(base, near: row) >> UInt32(skipped))
        var filled = 32 - skipped
        var index = base + 1
        while filled < count {
            bits |= UInt128(word(index, near: row)) << UInt128(filled)
            filled += 32
            index += 1
        }
        return bits
    }

    /// A word counted from the first of `row`, in that week or a neighbour that is kept.
    private func word(_ index: Int, near row: Int) -> UInt32 {
        if index >= 0 && index < Self.wordsPerWeek { return words[row * Self.wordsPerWeek + index] }
        let other = index < 0 ? row - 1 : row + 1
        guard other >= 0, other < weeks.count, abs(weeks[other] - weeks[row]) == 1 else { return 0 }
        return words[row * Self.wordsPerWeek + index]
    }
}

extension UsageRaster: Codable {
    /// Weeks that any instant of a wall clock can fall into stay far below this.
    private static let farthestWeek: Int64 = 1 << 40

    /// One array a week: its number, then its 21 words.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(
            weeks.indices.map { row in
                [Int64(weeks[row])]
                    + words[row * Self.wordsPerWeek..<(row + 1) * Self.wordsPerWeek].map(Int64.init)
            })
    }

    init(from decoder: any Decoder) throws {
        let rows = try decoder.singleValueContainer().decode([[Int64]].self)
        func check(_ holds: Bool, _ sentence: String) throws {
            guard holds else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: sentence))
            }
        }
        try check(
            rows.count <= Self.capacity, "a forecast keeps at most \(Self.capacity) weeks, not \(rows.count)")
        for row in rows {
            try check(
                row.count == Self.wordsPerWeek + 1, "a week of a forecast has 22 numbers, not \(row.count)")
            let week = row[0]
            try check(week.magnitude < Self.farthestWeek.magnitude, "\(week) is no week")
            try check(weeks.last.map { $0 < week } ?? true, "the weeks of a forecast ascend")
            let bits = row.dropFirst().compactMap { UInt32(exactly: $0) }
            try check(bits.count == Self.wordsPerWeek, "a number of week \(week) is not of 32 bits")
            try check(bits.contains { $0 != 0 }, "week \(week) of the forecast has no use")
            weeks.append(Int(week))
            words += bits
        }
        gatherTimesOfDay()
    }
}

extension Int {
    /// The quotient rounded down, also below zero.
    func dividedDown(by divisor: Int) -> Int {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
