import LullModel

/// Times in words, as people write them and as in systemd's calendars.
///
/// ```
/// hourly [:MINUTE]                      daily [TIME]           weekly DAYS [TIME]
/// monthly [DAYS OF THE MONTH] [TIME]    yearly [MONTH-DAY] [TIME]
/// [DAYS] [[*-]MONTH-DAY] [TIME]
/// ```
/// A missing time is 00:00, and any other missing part means every day. All parts have to match.
struct CalendarWords {
    private let words: AtWords
    private var rest: ArraySlice<Range<Int>>
    private var result: CalendarTime

    init(_ words: AtWords) {
        self.words = words
        rest = words.words[...]
        result = CalendarTime(text: words.text)
    }

    mutating func time() throws(AtFault) -> CalendarTime {
        guard let first = rest.first else { throw AtFault(.empty, at: 0..<words.count) }
        switch words[first].lowercased() {
        case "hourly":
            rest.removeFirst()
            result.hours = CalendarTime.everyHour
            result.isWildcard = true
            if let word = rest.first, words.scalars[word.lowerBound] == ":" {
                rest.removeFirst()
                result.minutes = try component(word.lowerBound + 1..<word.upperBound, 0...59, in: word).bits
            }
        case "daily":
            rest.removeFirst()
            try timeOfDay()
        case "weekly":
            rest.removeFirst()
            guard let days = rest.first, words.isLetter(days.lowerBound) else {
                throw AtFault(.weekly, at: first)
            }
            rest.removeFirst()
            result.weekdays = try weekdays(days)
            try timeOfDay()
        case "monthly":
            rest.removeFirst()
            result.days = 1 << 1
            if let days = rest.first, words.index(of: ":", in: days) == nil {
                rest.removeFirst()
                try daysOfMonth(days)
            }
            try timeOfDay()
        case "yearly", "annually":
            rest.removeFirst()
            (result.days, result.months) = (1 << 1, 1 << 1)
            if let word = rest.first, words.index(of: ":", in: word) == nil {
                rest.removeFirst()
                try date(word)
            }
            try timeOfDay()
        default: try calendar(from: first)
        }
        guard let more = rest.first else { return result }
        if words.isLetter(more.lowerBound) { throw AtFault(.zone(words[more]), at: more) }
        throw AtFault(.unexpected(words[more]), at: more)
    }

    /// `[DAYS] [DATE] [TIME]`, as in systemd's calendars.
    private mutating func calendar(from first: Range<Int>) throws(AtFault) {
        if words.isLetter(first.lowerBound) {
            rest.removeFirst()
            result.weekdays = try weekdays(first)
        }
        if let word = rest.first, words.index(of: ":", in: word) == nil, !words.isLetter(word.lowerBound) {
            rest.removeFirst()
            try date(word)
        }
        try timeOfDay()
    }

    /// `Mon`, `Sat,Sun`, `Mon-Fri`, `Mon..Fri`, which may pass Sunday.
    private func weekdays(_ range: Range<Int>) throws(AtFault) -> UInt8 {
        var bits: UInt8 = 0
        for piece in words.pieces(of: range, at: ",") {
            let dash = words.index(of: "-", in: piece)
            let dots = words.dots(in: piece)
            let first = piece.lowerBound..<(dash ?? dots ?? piece.upperBound)
            let from = try weekday(first)
            var to = from
            if let end = dash.map({ $0 + 1 }) ?? dots.map({ $0 + 2 }) {
                to = try weekday(end..<piece.upperBound)
            }
            if to < from { to += 7 }
            for day in from...to { bits |= 1 << UInt8(day % 7) }
        }
        return bits
    }

    private static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    private func weekday(_ range: Range<Int>) throws(AtFault) -> Int {
        let text = words[range]
        if range.count >= 3, let day = Self.names.firstIndex(where: { $0.hasPrefix(text.lowercased()) }) {
            return day
        }
        let place = range.isEmpty ? max(0, min(range.lowerBound, words.count - 1)) : range.lowerBound
        let end = max(place + 1, range.upperBound)
        if range.lowerBound == words.first?.lowerBound {
            let known = ["hourly", "daily", "weekly", "monthly", "yearly"]
            if let word = Spelling.nearest(to: text, among: known) {
                throw AtFault(.unknownWord(text, nearest: word), at: place..<end)
            }
        }
        let nearest = range.count < 2 ? nil : Self.names.first { $0.hasPrefix(text.lowercased().prefix(2)) }
        throw AtFault(
            .day(text, nearest: nearest.map { $0.prefix(1).uppercased() + $0.dropFirst().prefix(2) }),
            at: place..<end)
    }

    /// `1`, `1,15`, `1-7` or `last`.
    private mutating func daysOfMonth(_ range: Range<Int>) throws(AtFault) {
        result.days = 0
        for piece in words.pieces(of: range, at: ",") {
            if words[piece].lowercased() == "last" {
                result.lastDays |= 1 << 1
                continue
            }
            let dash = words.index(of: "-", in: piece)
            let first = words.number(piece.lowerBound..<(dash ?? piece.upperBound))
            let last = dash.map { words.number($0 + 1..<piece.upperBound) } ?? first
            guard let first, let last, first >= 1, last <= 31, first <= last else {
                throw AtFault(.date(words[piece]), at: shown(piece, in: range))
            }
            for day in first...last { result.days |= 1 << UInt32(day) }
        }
    }

    /// `*-*-01`, `*-12-24`, `12-24`, or with `~` for days from the end of the month.
    private mutating func date(_ range: Range<Int>) throws(AtFault) {
        let tilde = words.index(of: "~", in: range)
        let head = tilde.map { words.pieces(of: range.lowerBound..<$0, at: "-") } ?? []
        let parts = tilde.map { head + [$0 + 1..<range.upperBound] } ?? words.pieces(of: range, at: "-")
        guard parts.count == 2 || parts.count == 3 else { throw AtFault(.date(words[range]), at: range) }
        if parts.count == 3, words[parts[0]] != "*" {
            throw AtFault(.year(words[parts[0]]), at: shown(parts[0], in: range))
        }
        let months = try component(parts[parts.count - 2], 1...12, in: range, isDate: true).bits
        // As in systemd's calendars, 28 days from the end at most: each month has these.
        let days = try component(
            parts[parts.count - 1], tilde == nil ? 1...31 : 1...28, in: range, isDate: true,
            fromEnd: tilde != nil
        ).bits
        result.months = UInt16(truncatingIfNeeded: months)
        if tilde == nil || words[parts[parts.count - 1]] == "*" {
            result.days = tilde == nil ? UInt32(truncatingIfNeeded: days) : CalendarTime.everyDay
        } else {
            (result.days, result.lastDays) = (0, UInt32(truncatingIfNeeded: days))
        }
    }

    /// `02:30`, `*:0/15`, `8..18:00`, perhaps with `:00` for the seconds.
    private mutating func timeOfDay() throws(AtFault) {
        guard let word = rest.first, words.index(of: ":", in: word) != nil else { return }
        rest.removeFirst()
        let parts = words.pieces(of: word, at: ":")
        guard parts.count <= 3 else { throw AtFault(.time(words[word]), at: word) }
        if parts.count == 3, words.number(parts[2]) != 0 {
            throw AtFault(.seconds(words[word]), at: shown(parts[2], in: word))
        }
        // `2:3` is a typing error.
        if words.number(parts[1]) != nil, parts[1].count != 2 { throw AtFault(.time(words[word]), at: word) }
        let hours = try component(parts[0], 0...23, in: word)
        let minutes = try component(parts[1], 0...59, in: word)
        result.hours = UInt32(truncatingIfNeeded: hours.bits)
        result.minutes = minutes.bits
        result.isWildcard = hours.isStar || minutes.isStar
    }

    /// A list of `*`, `5`, `1..5`, each perhaps with `/STEP`; `0/15` is from 0 on.
    ///
    /// `fromEnd`: days are counted from the end of the month: `7/2` is the seventh last and every second day after it.
    private func component(
        _ range: Range<Int>, _ limits: ClosedRange<Int>, in word: Range<Int>, isDate: Bool = false,
        fromEnd: Bool = false
    ) throws(AtFault) -> (bits: UInt64, isStar: Bool) {
        var bits: UInt64 = 0
        for piece in words.pieces(of: range, at: ",") {
            let slash = words.index(of: "/", in: piece)
            let span = piece.lowerBound..<(slash ?? piece.upperBound)
            let dots = words.dots(in: span)
            let isStar = words[span] == "*"
            let first = isStar ? limits.lowerBound : words.number(span.lowerBound..<(dots ?? span.upperBound))
            let isOpen = slash != nil && dots == nil && !isStar
            let last =
                isStar
                ? limits.upperBound
                : dots.map { words.number($0 + 2..<span.upperBound) }
                    ?? (isOpen ? (fromEnd ? limits.lowerBound : limits.upperBound) : first)
            let step = slash.map { words.number($0 + 1..<piece.upperBound) } ?? 1
            let isBackwards = isOpen && fromEnd
            guard let first, let last, let step, step > 0, limits.contains(first), limits.contains(last),
                isBackwards || first <= last,
                // A step that leads to no second number is a typing error.
                !isOpen || abs(last - first) >= step
            else {
                let place = shown(piece, in: word)
                throw AtFault(isDate ? .date(words[word]) : .time(words[word]), at: place)
            }
            for number in stride(from: first, through: last, by: isBackwards ? -step : step) {
                bits |= 1 << UInt64(number)
            }
        }
        return (bits, !range.isEmpty && words.scalars[range.lowerBound] == "*")
    }

    /// The range to point at: the piece, or the whole word if the piece is empty.
    private func shown(_ piece: Range<Int>, in word: Range<Int>) -> Range<Int> {
        piece.isEmpty ? word : piece
    }
}
