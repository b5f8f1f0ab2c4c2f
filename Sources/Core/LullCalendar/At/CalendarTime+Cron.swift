import LullModel

/// Cron expressions, by crontab(5) and as Debian's cron parses them.
extension CalendarTime {
    /// `@daily` and its like.
    static func nickname(_ words: AtWords) throws(AtFault) -> CalendarTime {
        guard let range = words.first else { throw AtFault(.empty, at: 0..<words.count) }
        var time = CalendarTime(text: words.text)
        switch words[range].lowercased() {
        case "@hourly":
            time.hours = everyHour
            time.isWildcard = true
        case "@daily", "@midnight": break
        case "@weekly": time.weekdays = 1 << 6
        case "@monthly": time.days = 1 << 1
        case "@yearly", "@annually":
            time.days = 1 << 1
            time.months = 1 << 1
        default:
            let names = [
                "@reboot", "@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually",
            ]
            let word = words[range]
            throw AtFault(.unknownWord(word, nearest: Spelling.nearest(to: word, among: names)), at: range)
        }
        return time
    }

    /// Minute, hour, day of the month, month and day of the week.
    static func cron(_ words: AtWords) throws(AtFault) -> CalendarTime {
        guard words.words.count == CronField.allCases.count else {
            let start = words.words.count > 5 ? words.words[5].lowerBound : words.first?.lowerBound ?? 0
            throw AtFault(.fieldCount(words.words.count), at: start..<max(start + 1, words.end))
        }
        var time = CalendarTime(text: words.text)
        var isStar: [CronField: Bool] = [:]
        for field in CronField.allCases {
            let range = words.words[field.rawValue]
            isStar[field] = words.scalars[range.lowerBound] == "*"
            let bits = try list(range, field, words)
            switch field {
            case .minute: time.minutes = bits
            case .hour: time.hours = UInt32(truncatingIfNeeded: bits)
            case .day: time.days = UInt32(truncatingIfNeeded: bits)
            case .month: time.months = UInt16(truncatingIfNeeded: bits)
            case .weekday:
                // Cron has Sunday as 0 and 7; here it is the last day of the week.
                let sunday = (bits | bits >> 7) & 1
                time.weekdays = UInt8(truncatingIfNeeded: (bits >> 1 & 63) | sunday << 6)
            }
        }
        // As in Debian's cron, every field that begins with an asterisk counts as one, `*/2` too.
        time.takesEitherDay = isStar[.day] == false && isStar[.weekday] == false
        time.isWildcard = isStar[.minute] == true || isStar[.hour] == true
        return time
    }

    private static func list(_ range: Range<Int>, _ field: CronField, _ words: AtWords) throws(AtFault)
        -> UInt64
    {
        var bits: UInt64 = 0
        for piece in words.pieces(of: range, at: ",") { bits |= try item(piece, field, words) }
        return bits
    }

    /// `*`, `5`, `Mon`, `1-5`, `*/2` or `1-59/2`.
    private static func item(_ range: Range<Int>, _ field: CronField, _ words: AtWords) throws(AtFault)
        -> UInt64
    {
        if words.index(of: "~", in: range) != nil { throw AtFault(.random(words[range]), at: range) }
        let slash = words.index(of: "/", in: range)
        let span = range.lowerBound..<(slash ?? range.upperBound)
        var step = 1
        if let slash {
            let text = slash + 1..<range.upperBound
            guard let number = words.number(text), number > 0 else {
                throw AtFault(.noStep(words[text]), at: text.isEmpty ? slash..<slash + 1 : text)
            }
            step = number
        }
        let ends: ClosedRange<Int>
        if words[span] == "*" {
            ends = field == .weekday ? 0...6 : field.range
        } else if let dash = words.index(of: "-", in: span) {
            ends = try self.span(
                span, dash: dash, field, words, step: slash.map { words[$0..<range.upperBound] } ?? "")
        } else {
            let number = try number(span, field, words)
            guard slash == nil else {
                let meant = "\(words[span])-\(field.range.upperBound)/\(step)"
                throw AtFault(.stepWithoutRange(words[range], meant: meant), at: range)
            }
            ends = number...number
        }
        var bits: UInt64 = 0
        for number in stride(from: ends.lowerBound, through: ends.upperBound, by: step) {
            bits |= 1 << UInt64(number)
        }
        return bits
    }

    private static func span(
        _ range: Range<Int>, dash: Int, _ field: CronField, _ words: AtWords, step: String
    ) throws(AtFault) -> ClosedRange<Int> {
        let (left, right) = (range.lowerBound..<dash, dash + 1..<range.upperBound)
        let first = try number(left, field, words)
        var last = try number(right, field, words)
        // As the end of a range, `Sun` is day 7.
        if field == .weekday, last == 0, first > 0, words.number(right) == nil { last = 7 }
        guard first <= last else {
            let limits = field == .weekday ? 0...6 : field.range
            let meant = "\(first)-\(limits.upperBound)\(step),\(limits.lowerBound)-\(last)\(step)"
            throw AtFault(.reversed(words[range], meant: meant), at: range)
        }
        return first...last
    }

    private static func number(_ range: Range<Int>, _ field: CronField, _ words: AtWords) throws(AtFault)
        -> Int
    {
        let text = words[range]
        if let number = words.number(range), field.range.contains(number) { return number }
        if let index = field.names.firstIndex(where: { $0.lowercased() == text.lowercased() }) {
            return index + field.range.lowerBound
        }
        // An empty range is shown by the separator beside it.
        let place = range.isEmpty ? max(0, min(range.lowerBound, words.count - 1)) : range.lowerBound
        throw AtFault(.value(field, text), at: place..<max(place + 1, range.upperBound))
    }
}
