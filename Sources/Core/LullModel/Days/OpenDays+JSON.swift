/// The days as the definition hash has them: without their names, and wherever a host keeps its calendar files.
extension OpenDays {
    var json: JSONValue {
        var parts: [String: JSONValue] = ["except": except.json]
        parts["only"] = only?.json
        parts["from"] = from.map(Self.number)
        parts["until"] = until.map(Self.number)
        return .object(parts)
    }

    fileprivate static func number(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}

extension DayList {
    fileprivate var json: JSONValue {
        func numbers(_ numbers: Int...) -> [JSONValue] { numbers.map(OpenDays.number) }
        func list(_ list: [Int]) -> JSONValue { .array(list.map(OpenDays.number)) }
        func rule(_ step: Int, _ unit: String, _ days: DaysOfMonth) -> [JSONValue] {
            let weekdays = days.weekdays.map { list([$0.day, $0.ordinal ?? 0]) }
            return [
                .string(unit), OpenDays.number(step), list(days.months), list(days.days), .array(weekdays),
            ]
        }
        return .array(
            once.map { .array(numbers($0.first, $0.last)) }
                + again.map { repeated in
                    let parts =
                        switch repeated.rule {
                        case .days(let step): [.string("days"), OpenDays.number(step)]
                        case .months(let step, let days): rule(step, "months", days)
                        case .years(let step, let days): rule(step, "years", days)
                        }
                    let end = repeated.until.map { numbers($0) } ?? []
                    return .array(
                        numbers(repeated.span.first, repeated.span.last) + parts
                            + [.array(end), list(repeated.without)])
                })
    }
}
