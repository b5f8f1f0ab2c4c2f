/// An error in a calendar file, or in naming it.
public enum CalendarProblem: Error, Sendable, Hashable {
    case file(String, FileProblem)
    case tooLargeTogether(limit: Int)
    case notText
    case notACalendar
    case noColon
    case endOfAnother(String, open: String?)
    case cutOff(String)
    case tooDeep
    case noEvents
    case tooMany(events: Int, rules: Int)
    case tooManyRepeated(limit: Int)
    case listTooLong(String, limit: Int)
    case twice(String)
    case noStart
    case date(String)
    case inUTC(String)
    case duration(String)
    case endsBeforeStart
    case tooLong(days: Int)
    case rulePart(String)
    case ruleMix(String)
    /// A property that changes the days and is not read.
    case unknown(String)

    var message: String {
        switch self {
        case .file(let path, .missing): "there is no calendar file \(quoted(path))"
        case .file(let path, .isFolder): "\(quoted(path)) is a folder, not a calendar file"
        case .file(let path, let problem): "the calendar \(quoted(path)) can't be used: \(problem.message)"
        case .tooLargeTogether(let limit):
            "with this one, the calendars have more than \(limit >> 20) MiB together"
        case .notText: "a calendar file is text in UTF-8, and this is not"
        case .notACalendar: "an iCalendar file begins with BEGIN:VCALENDAR"
        case .noColon: "this line has no colon, as each line of an iCalendar file has"
        case .endOfAnother(let name, let open?): "END:\(clipped(name)) ends \(clipped(open))"
        case .endOfAnother(let name, nil): "END:\(clipped(name)) ends nothing"
        case .cutOff(let name): "the file ends before END:\(clipped(name))"
        case .tooDeep: "components are too deep in each other"
        case .noEvents: "the calendar has no event"
        case .tooMany(let events, let rules):
            "the calendar has more than \(events) events, or more than \(rules) rules; each weekday of a weekly rule counts"
        case .tooManyRepeated(let limit):
            "events that come again have more than \(limit) days, with the days of their EXDATE"
        case .listTooLong(let name, let limit): "this event has more than \(limit) days in \(name)"
        case .twice(let name): "this event has a second \(name)"
        case .noStart: "this event has no DTSTART"
        case .date(let text): "\(quoted(text)) is not a date"
        case .inUTC(let text): "\(quoted(text)) is a time in UTC, so its day depends on the time zone"
        case .duration(let text): "\(quoted(text)) is not a duration"
        case .endsBeforeStart: "this event ends before it begins"
        case .tooLong(let days): "this event takes \(days) days"
        case .rulePart(let text): "the rule has \(quoted(text)), which Lull does not read"
        case .ruleMix(let text): "Lull does not read this combination: \(quoted(text))"
        case .unknown(let name): "this event has \(name), which Lull does not read"
        }
    }

    var fix: String {
        switch self {
        case .file(_, .missing), .file(_, .isFolder):
            "correct the path, which starts at this file's folder, or take the entry out"
        case .file(_, .tooLarge), .tooLargeTogether: "take past years out of it, or name a smaller file"
        case .file(_, .notAFile): "write the calendar to a file and name that"
        case .file(_, let problem): problem.fix
        case .notText: "save the file as UTF-8, or get it again"
        case .notACalendar, .noColon, .endOfAnother, .cutOff, .tooDeep:
            "get the file again, and check that it is whole: it begins with BEGIN:VCALENDAR and ends with END:VCALENDAR"
        case .noEvents: "name a file that has events, or take the entry out"
        case .tooMany: "take past years out of it, or split it into several files"
        case .tooManyRepeated:
            "write shorter events, take past years out of EXDATE, or split it into several files"
        case .listTooLong: "take past years out of it"
        case .twice: "keep one of them"
        case .noStart: "write its day, such as `DTSTART;VALUE=DATE:20261225`"
        case .date: "write a day such as 20261225, or a time such as 20261225T090000"
        case .inUTC: "write the day alone, such as 20261225"
        case .duration: "write days such as `DURATION:P1D`"
        case .endsBeforeStart: "correct DTEND: it is the day after the last one"
        case .tooLong: "correct DTEND, or write several events"
        case .rulePart, .ruleMix:
            "write the days as events of their own; rules may have FREQ (DAILY, WEEKLY, MONTHLY or YEARLY), INTERVAL and COUNT (at most 1000), UNTIL, "
                + "BYMONTH, BYMONTHDAY and BYDAY"
        case .unknown: "write the changed day as an event of its own, and leave the old one out with EXDATE"
        }
    }
}

private func clipped(_ text: String) -> String { String(text.prefix(40)) }
