import LullCalendar
public import LullModel

/// On how many of the last days a task's constraints held together, as far as the host has watched them.
///
/// From the recorded `conditions`. A set that no task required before was not watched as one. Then a day counts if each
/// of the conditions held at some time in it, so the number is an upper bound.
public struct Feasibility: Sendable, Equatable, Codable {
    /// The number of days that it looks back.
    public static let span = 60

    /// Days on which they held, in a window of the task where it has windows.
    public let held: Int
    /// Days on which the conditions were watched.
    public let watched: Int
    /// The longest row of watched days on which they did not hold.
    public let longestWithout: Int
    /// The conditions were watched one by one, so `held` is an upper bound.
    public let isBound: Bool
    /// The names of the conditions and the windows, for people.
    public let names: [String]

    /// Nil: the task requires no conditions, or they have not been watched.
    public init?(of task: TaskDefinition, in events: [HistoryEvent], at now: WallTime, zones: Zones) {
        let set = task.requires.conditions
        guard !set.conditions.isEmpty else { return nil }
        let calendar = WindowCalendar(of: task, zone: zones[task.timezone])
        var days = Days(calendar: calendar, zone: zones.host, now: now)
        for event in events { days.add(event, of: set.name) }
        isBound = days.watched.isEmpty
        if isBound {
            for condition in set.conditions {
                var alone = Days(calendar: calendar, zone: zones.host, now: now)
                for event in events { alone.add(event, of: condition.name) }
                guard !alone.watched.isEmpty else { return nil }
                days.held = days.watched.isEmpty ? alone.held : days.held.intersection(alone.held)
                days.watched = days.watched.isEmpty ? alone.watched : days.watched.intersection(alone.watched)
            }
        }
        guard !days.watched.isEmpty else { return nil }
        held = days.held.count
        watched = days.watched.count
        var row = 0
        var longest = 0
        for day in days.watched.sorted() {
            row = days.held.contains(day) ? 0 : row + 1
            longest = max(longest, row)
        }
        longestWithout = longest
        names = set.conditions.map(\.gate.rawValue) + (calendar == nil ? [] : ["window"])
    }

    /// "external_power and network held together on 9 of the last 60 days".
    public var sentence: String {
        let what = Phrase.list(names) + (names.count == 1 ? "" : " together")
        let of =
            watched >= Self.span - 1
            ? "the last \(Self.span) days" : "the \(watched) days for which the host has data"
        return "\(what) held on \(isBound ? "at most " : "")\(held) of \(of)"
    }

    /// Why an expectation could not have been met; nil: nothing speaks against it.
    public func obstacle(to expectation: Expectation) -> String? {
        let days = Int((expectation.span.inSeconds / 86_400).rounded(.up))
        guard longestWithout > days || held == 0 && watched > days else { return nil }
        return "at least \(expectation.count) in \(Phrase.span(expectation.span)) can't be met: \(sentence), "
            + "and \(longestWithout) days in a row passed without"
    }
}

/// Days on which conditions were watched and held, by their number on the local calendar.
private struct Days {
    let calendar: WindowCalendar?
    let zone: Zone
    let now: WallTime
    var watched: Set<Int> = []
    var held: Set<Int> = []

    mutating func add(_ event: HistoryEvent, of name: String) {
        guard event.event == .conditions, let share = event.shares?[name],
            let milliseconds = event.milliseconds, milliseconds > 0, milliseconds < 60 * 86_400_000
        else { return }
        let start = event.time - .milliseconds(milliseconds)
        guard event.time > now - .days(Feasibility.span), event.time <= now else { return }
        let earliest = now - Duration.days(Feasibility.span)
        let first = zone.day(of: max(start, earliest))
        let last = zone.day(of: event.time)
        for day in first...max(first, last) { watched.insert(day) }
        guard share > 0 else { return }
        if let calendar, calendar.opening(from: start).map({ $0 >= event.time }) ?? true { return }
        if share >= 1 {
            for day in first...max(first, last) { held.insert(day) }
        } else {
            // Where in the span it held is known from how it ended.
            held.insert(event.gates?.contains(name) == true ? first : last)
        }
    }
}
