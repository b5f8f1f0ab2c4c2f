import LullCalendar
import LullModel

@testable import LullManifest

/// Any bytes are a calendar, or are refused with a place and a fix; and how its lines are folded changes nothing.
enum CalendarCheck {
    static func run(_ bytes: [UInt8]) throws {
        let read = ICalendarReader.read(bytes, file: "h.ics")
        for problem in read.2.inOrder(before: nil) {
            try hold(problem.fact.severity == .error, "only a warning: \(problem)")
            try hold(!problem.fact.message.isEmpty && !problem.fact.fix.isEmpty, "no remedy: \(problem)")
            try hold(problem.span.start <= problem.span.end, "an end before its start: \(problem)")
        }
        guard !read.2.hasErrors else { return }
        try hold(read.once.count <= Limits.calendarEvents, "\(read.once.count) days")
        try hold(read.again.count <= Limits.calendarRules, "\(read.again.count) rules")
        let list = DayList(texts: [], once: read.once, again: read.again)
        try check(list)
        let again = ICalendarReader.read(folded(bytes), file: "h.ics")
        try hold(!again.2.hasErrors, "refused when it is folded: \(again.2.found)")
        try hold(
            DayList(texts: [], once: again.once, again: again.again) == list, "folded it has other days")
    }

    /// The next day that the list finds is the one that a walk finds.
    private static func check(_ list: DayList) throws {
        for span in list.once {
            try hold(span.first <= span.last, "an empty span: \(span)")
            try hold(list[span.first] == span && list[span.last] == span, "a day is missing: \(span)")
        }
        for repeated in list.again {
            let name = repeated.span.name ?? ""
            try hold(name.count <= 61 && name == name.terminalSafe, "its name: \(name.debugDescription)")
        }
        for start in [0, 20_000, 20_812] {
            let walked = (start..<start + 60).first { list[$0] != nil }
            try hold(list.next(from: start, before: start + 60) == walked, "another next day after \(start)")
            guard let days = OpenDays(except: list) else { continue }
            let open = (start..<start + 60).first(where: days.isOpen)
            let next = days.nextOpen(from: start).flatMap { $0 < start + 60 ? $0 : nil }
            try hold(open == next, "another open day after \(start)")
        }
    }

    /// Each line that is not folded yet, folded after its seventh byte.
    private static func folded(_ bytes: [UInt8]) -> [UInt8] {
        var (out, column) = ([UInt8](), 0)
        for byte in bytes {
            column = byte == 0x0A || byte == 0x0D ? 0 : column + 1
            if column == 8 { out += [0x0D, 0x0A, 0x20] }
            out.append(byte)
        }
        return out
    }
}
