import LullCalendar
import LullModel

/// Reads the days of an iCalendar file (RFC 5545): the events, with the rules that files of public holidays use.
///
/// Whatever the file says about days and Lull does not know is a problem: no holiday is passed over in silence. Time
/// zones, alarms and all else that does not change the days is skipped.
struct ICalendarReader {
    /// As the manifest names it.
    private let file: String
    private var lines: ICalendarLines
    private var problems = Problems()
    private var once: [DaySpan] = []
    private var again: [RepeatedDays] = []
    private var events = 0
    /// The days of one occurrence of each rule, and those that it leaves out: what a look at one day may cost.
    private var repeated = 0

    static func read(_ bytes: [UInt8], file: String) -> (once: [DaySpan], again: [RepeatedDays], Problems) {
        var reader = ICalendarReader(file: file, lines: ICalendarLines(bytes))
        reader.read()
        return (reader.once, reader.again, reader.problems)
    }

    private init(file: String, lines: ICalendarLines) { (self.file, self.lines) = (file, lines) }

    private mutating func read() {
        // The names of the components around the line.
        var open: [String] = []
        var event = ICalendarEvent()
        do throws(ICalendarFault) {
            while let result = lines.next() {
                // Not even the first line is one of an iCalendar file.
                if open.isEmpty, events == 0, case .failure(let fault) = result, fault.problem == .noColon {
                    throw ICalendarFault(.notACalendar, at: fault.span)
                }
                let line = try result.get()
                let value = line.value.trimmed.uppercased()
                switch line.name {
                case "BEGIN":
                    if open.isEmpty, value != "VCALENDAR" {
                        throw ICalendarFault(.notACalendar, at: line.span)
                    }
                    guard open.count < Self.depth else { throw ICalendarFault(.tooDeep, at: line.span) }
                    open.append(value)
                    if open == Self.event { event = ICalendarEvent(at: line.span) }
                case "END":
                    guard let last = open.last, last == value else {
                        throw ICalendarFault(.endOfAnother(value, open: open.last), at: line.span)
                    }
                    if open == Self.event { try finish(event) }
                    open.removeLast()
                case _ where open.isEmpty: throw ICalendarFault(.notACalendar, at: line.span)
                case _ where open == Self.event:
                    do throws(ICalendarFault) {
                        try event.take(line)
                    } catch {
                        problems.add(.calendar(error.problem), at: error.span)
                        event.isRefused = true
                    }
                default: break
                }
            }
            // Half a file would open all days of the other half.
            if let last = open.last { throw ICalendarFault(.cutOff(last), at: lines.last) }
            if events == 0 { throw ICalendarFault(.noEvents, at: lines.last) }
        } catch {
            problems.add(.calendar(error.problem), at: error.span)
        }
    }

    private static let event = ["VCALENDAR", "VEVENT"]
    private static let depth = 8

    /// Throws if the file has too much: what follows is not read.
    private mutating func finish(_ event: ICalendarEvent) throws(ICalendarFault) {
        events += 1
        guard !event.isRefused, !event.isCancelled else { return }
        let days: (once: [DaySpan], again: [RepeatedDays])
        do throws(ICalendarFault) {
            days = try event.days(in: file)
        } catch {
            return problems.add(.calendar(error.problem), at: error.span)
        }
        once += days.once
        again += days.again
        repeated = days.again.reduce(repeated) { $0 + $1.span.last - $1.span.first + 1 + $1.without.count }
        let problem: CalendarProblem? =
            if once.count > Limits.calendarEvents || again.count > Limits.calendarRules {
                .tooMany(events: Limits.calendarEvents, rules: Limits.calendarRules)
            } else if repeated > Limits.calendarEvents {
                .tooManyRepeated(limit: Limits.calendarEvents)
            } else {
                nil
            }
        guard let problem else { return }
        (once, again) = ([], [])
        throw ICalendarFault(problem, at: event.span)
    }
}

extension StringProtocol {
    /// Without spaces at both ends.
    var trimmed: String {
        var text = Substring(self)
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
