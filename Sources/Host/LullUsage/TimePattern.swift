/// The format of a time, item by item from left to right.
struct TimePattern: Sendable, Equatable {
    enum Item: Sendable, Equatable {
        /// One of these bytes.
        case mark([UInt8])
        /// Any white space, also none.
        case space
        case number(TimeParts.Field, fewest: Int, most: Int)
        case month
        case weekday
        case meridiem
        /// `Z`, `+02`, `+0200` or `+02:00`; with `strict`, `Z` and the last alone.
        case offset(strict: Bool)
        /// A zone's name: UTC, GMT and Z are UTC; any other name means the caller's zone.
        case zoneName
        /// A dot or comma and digits, or nothing.
        case fraction
        /// Matches no line.
        case never
    }

    var items: [Item]

    static let common = TimePattern(items: [
        .mark([UInt8(ascii: "[")]), .number(.day, fewest: 2, most: 2), .mark([UInt8(ascii: "/")]), .month,
        .mark([UInt8(ascii: "/")]), .number(.year, fewest: 4, most: 4), .mark([UInt8(ascii: ":")]),
        .number(.hour, fewest: 2, most: 2), .mark([UInt8(ascii: ":")]),
        .number(.minute, fewest: 2, most: 2), .mark([UInt8(ascii: ":")]),
        .number(.second, fewest: 2, most: 2), .space, .offset(strict: false), .mark([UInt8(ascii: "]")]),
    ])

    static let rfc3339 = TimePattern(items: [
        .number(.year, fewest: 4, most: 4), .mark([UInt8(ascii: "-")]),
        .number(.month, fewest: 2, most: 2), .mark([UInt8(ascii: "-")]),
        .number(.day, fewest: 2, most: 2), .mark(Array("Tt ".utf8)),
        .number(.hour, fewest: 2, most: 2), .mark([UInt8(ascii: ":")]),
        .number(.minute, fewest: 2, most: 2), .mark([UInt8(ascii: ":")]),
        .number(.second, fewest: 2, most: 2), .fraction, .offset(strict: true),
    ])

    init(items: [Item]) { self.items = items }

    /// The next place, from `start` on, at which the first item could stand.
    func nextStart(in line: ArraySlice<UInt8>, from start: Int) -> Int? {
        let rest = line[start...]
        return switch items.first {
        case .mark(let bytes): rest.firstIndex(where: bytes.contains)
        case .number: rest.firstIndex(where: \.isDigit)
        case .month, .weekday, .meridiem: rest.firstIndex(where: \.isLetter)
        case .space, .offset, .zoneName, .fraction: rest.indices.first
        case .never, nil: nil
        }
    }

    /// The time at the beginning of `text`, and where it ends; nil if the pattern does not match there.
    func match(_ text: ArraySlice<UInt8>) -> (TimeParts, end: Int)? {
        var reader = TimeReader(rest: text)
        var parts = TimeParts()
        for item in items {
            guard read(item, from: &reader, into: &parts) else { return nil }
        }
        return (parts, reader.rest.startIndex)
    }

    private func read(_ item: Item, from reader: inout TimeReader, into parts: inout TimeParts) -> Bool {
        switch item {
        case .mark(let bytes):
            guard let byte = reader.rest.first, bytes.contains(byte) else { return false }
            reader.rest.removeFirst()
        case .space: reader.skipSpace()
        case .number(let field, let fewest, let most):
            // As strptime does: ` 1` is a day.
            if fewest < most { reader.skipSpace() }
            guard let number = reader.number(fewest: fewest, most: most), field.range.contains(number) else {
                return false
            }
            parts[field] = number
        case .month:
            guard let index = reader.name(TimeReader.months) else { return false }
            parts[.month] = index + 1
        case .weekday:
            guard reader.name(TimeReader.weekdays) != nil else { return false }
        case .meridiem:
            guard let index = reader.name(["am", "pm"]) else { return false }
            parts.isAfternoon = index == 1
        case .offset(let strict):
            guard let offset = reader.offset(strict: strict) else { return false }
            parts.offset = offset
        case .zoneName:
            let name = reader.word()
            if ["utc", "gmt", "z"].contains(name) { parts.offset = 0 }
        case .fraction:
            guard let milliseconds = reader.fraction() else { return false }
            parts.milliseconds = milliseconds
        case .never: return false
        }
        return true
    }
}
