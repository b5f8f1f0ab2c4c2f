import LullCalendar
import LullModel

/// An event of a calendar file while its lines are read.
struct ICalendarEvent {
    typealias Line = ICalendarLines.Line

    /// Where it begins.
    var span: Span
    /// A line of it is a problem that is reported already.
    var isRefused = false
    var isCancelled = false
    private var start: ICalendarDate?
    private var end: ICalendarDate?
    private var duration: Int?
    private var summary: String?
    private var rule: ICalendarRule?
    private var added: [Int] = []
    private var left: [Int] = []
    private var seen: Set<String> = []

    /// Longer events are slips of the year.
    private static let longest = 3660

    init(at span: Span = Span(line: 0, column: 0)) { self.span = span }

    mutating func take(_ line: Line) throws(ICalendarFault) {
        if ["DTSTART", "DTEND", "DURATION", "RRULE"].contains(line.name),
            !seen.insert(line.name).inserted
        {
            throw ICalendarFault(.twice(line.name), at: line.span)
        }
        switch line.name {
        case "DTSTART": start = try ICalendarDate(line)
        case "DTEND": end = try ICalendarDate(line)
        case "DURATION":
            guard let seconds = Self.seconds(line.value.trimmed) else {
                throw ICalendarFault(.duration(line.value), at: line.span)
            }
            duration = seconds
        case "RRULE": rule = try ICalendarRule(line)
        case "RDATE": try Self.add(line, to: &added)
        case "EXDATE": try Self.add(line, to: &left)
        case "EXRULE", "RECURRENCE-ID": throw ICalendarFault(.unknown(line.name), at: line.span)
        case "STATUS": isCancelled = line.value.trimmed.uppercased() == "CANCELLED"
        case "SUMMARY": summary = Self.name(line.value)
        default: break
        }
    }

    private static func add(_ line: Line, to days: inout [Int]) throws(ICalendarFault) {
        for value in line.values() {
            let day = try ICalendarDate(value.text, line, at: value.span).day
            guard days.count < Limits.calendarEvents else {
                throw ICalendarFault(.listTooLong(line.name, limit: Limits.calendarEvents), at: value.span)
            }
            days.append(day)
        }
    }

    /// Without its escapes, on one line, and not too long for a sentence.
    private static func name(_ value: String) -> String? {
        var (text, isEscaped) = ("", false)
        for character in value {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            text.append(isEscaped && (character == "n" || character == "N") ? " " : character)
            isEscaped = false
        }
        let name = text.terminalSafe.trimmed
        return name.isEmpty ? nil : name.count <= 60 ? name : name.prefix(60) + "…"
    }

    /// `P1D`, `P2W`, `PT12H`: at most a few years.
    static func seconds(_ text: String) -> Int? {
        var rest = text.uppercased()[...]
        if rest.first == "+" { rest.removeFirst() }
        guard rest.popFirst() == "P", !rest.isEmpty else { return nil }
        var (sum, isTime) = (0, false)
        while let first = rest.first {
            if first == "T", !isTime {
                isTime = true
                rest.removeFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard digits.count <= 6, let number = Int(digits) else { return nil }
            rest = rest.dropFirst(digits.count)
            switch (rest.popFirst(), isTime) {
            case ("W", false): sum += number * 7 * 86400
            case ("D", false): sum += number * 86400
            case ("H", true): sum += number * 3600
            case ("M", true): sum += number * 60
            case ("S", true): sum += number
            default: return nil
            }
        }
        return text.last == "P" || text.last == "T" ? nil : sum
    }

    /// The days that it touches, as its own zone has them.
    func days(in file: String) throws(ICalendarFault) -> (once: [DaySpan], again: [RepeatedDays]) {
        guard let start else { throw ICalendarFault(.noStart, at: span) }
        let begin = start.day * 86400 + start.second
        let stop = end.map { $0.day * 86400 + $0.second } ?? duration.map { begin + $0 } ?? begin
        guard stop >= begin else { throw ICalendarFault(.endsBeforeStart, at: end?.span ?? span) }
        let length = stop == begin ? 0 : (stop - 1) / 86400 - start.day
        guard length < (rule == nil ? Self.longest : 366) else {
            throw ICalendarFault(.tooLong(days: length + 1), at: end?.span ?? span)
        }
        func occurrence(_ day: Int) -> DaySpan {
            DaySpan(day, through: day + length, name: summary, file: file)
        }
        let leftOut = Set(left)
        var once = added.filter { !leftOut.contains($0) }.map(occurrence)
        let again = try rule?.days(from: occurrence(start.day), at: start, without: left) ?? []
        // The event itself comes also where its rule does not name that day.
        if !leftOut.contains(start.day), !again.contains(where: { $0.span(holding: start.day) != nil }) {
            once.append(occurrence(start.day))
        }
        return (once, again)
    }
}

/// `20261225`, `20261225T090000`, `20261225T000000Z`.
struct ICalendarDate {
    enum Time { case none, local, utc }

    /// Counted from 1970-01-01, as it is written.
    var day: Int
    var time = Time.none
    var second = 0
    var text: String
    var span: Span

    init(_ line: ICalendarLines.Line) throws(ICalendarFault) {
        try self.init(line.value, line, at: line.span)
    }

    init(_ text: String, _ line: ICalendarLines.Line, at span: Span) throws(ICalendarFault) {
        (self.text, self.span) = (text, span)
        let bytes = Array(text.trimmed.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            return bytes[range].reduce(0) { $0 * 10 + Int($1) - 0x30 }
        }
        guard let year = number(0..<4), let month = number(4..<6), let date = number(6..<8),
            let day = LocalTime.day(year: year, month: month, day: date)
        else { throw ICalendarFault(.date(text), at: span) }
        self.day = day
        if bytes.count == 8 { return }
        guard bytes[8] == UInt8(ascii: "T"), let hour = number(9..<11), let minute = number(11..<13),
            let second = number(13..<15), hour < 24, minute < 60, second <= 60,
            bytes.count == 15 || bytes.count == 16 && bytes[15] == UInt8(ascii: "Z"),
            line.parameters["VALUE"]?.uppercased() != "DATE"
        else { throw ICalendarFault(.date(text), at: span) }
        time = bytes.count == 16 ? .utc : .local
        self.second = min(hour * 3600 + minute * 60 + second, 86399)
        // Which local day this is depends on the zone.
        if bytes.count == 16, self.second != 0 { throw ICalendarFault(.inUTC(text), at: span) }
    }
}

extension LocalTime {
    /// The day's number from 1970-01-01, if there is such a day from 1900 to 2199.
    static func day(year: Int, month: Int, day: Int) -> Int? {
        guard (1900...2199).contains(year), (1...12).contains(month), day >= 1,
            day <= length(ofMonth: month, year: year)
        else { return nil }
        return days(year: year, month: month, day: day)
    }
}
