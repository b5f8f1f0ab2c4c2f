public import LullCalendar
import LullModel

/// A value that its key can't take.
public enum ValueProblem: Sendable, Hashable {
    case wrongType(Key, expected: Expected, found: Found, remedies: [String])
    case noValue(Key, example: String)
    /// `range` as it stands behind "is": "from 1 to 5".
    case outOfRange(Key, text: String, range: String)
    case notAChoice(Key, text: String, choices: [String], nearest: String?)
    case unsupportedVersion(String)
    case digest(String)
    case unknownZone(String, nearest: String?)
    case noZoneDatabase(folder: String, name: String)
    case window(String, WindowFault)
    case time(String, AtFault)
    case day(String, DayFault)
    case daysOutOfOrder(from: String, until: String)
    /// `first` over `max`.
    case retryOutOfOrder(first: String, max: String)
    case costLimit(Key, String)

    public enum Expected: Sendable, Hashable {
        case duration, durationOrNever, size, share, boolean, integer, number, numberOrMapping, text, list,
            times,
            pathsOrAll, mapping

        var phrase: String {
            switch self {
            case .duration: "a duration"
            case .durationOrNever: "a duration or never"
            case .size: "a size"
            case .share: "a share in per cent"
            case .boolean: "true or false"
            case .integer: "a whole number"
            case .number: "a number"
            case .numberOrMapping: "a number, or keys and values"
            case .text: "text"
            case .list: "a list"
            case .times: "a time or a list of times"
            case .pathsOrAll: "a list of paths, or `all`"
            case .mapping: "keys and values"
            }
        }
    }

    var message: String {
        switch self {
        case .wrongType(let key, let expected, let found, _):
            "`\(key.rawValue)` takes \(expected.phrase), not \(found.phrase)"
        case .noValue(let key, _): "the key '\(key.rawValue)' has no value"
        case .outOfRange(let key, let text, let range):
            "`\(key.rawValue)` must be \(range), not \(quoted(text))"
        case .notAChoice(let key, let text, let choices, _):
            "`\(key.rawValue)` must be \(alternatives(choices)), not \(quoted(text))"
        case .unsupportedVersion(let text): "this lull reads manifests of version 1, not \(quoted(text))"
        case .digest(let text):
            "`sha256` must be 64 hexadecimal digits in lower case, not \(quoted(text)) (\(text.count) characters)"
        case .unknownZone(let name, _): "there is no time zone \(quoted(name))"
        case .noZoneDatabase(let folder, let name):
            "the time zone \(quoted(name)) can't be looked up: there is no zone database in \(folder)"
        case .window(let text, let fault): "the window \(quoted(text)) \(fault.message)"
        case .time(let text, let fault): "the time \(quoted(text)) \(fault.message)"
        case .day(let text, let fault): "the day \(quoted(text)) \(fault.message)"
        case .daysOutOfOrder(let from, let until): "the first day, \(from), is after the last, \(until)"
        case .retryOutOfOrder(let first, let max):
            "the first wait, \(first), is longer than the longest, \(max)"
        case .costLimit(let key, let text):
            "`\(key.rawValue)` must be \(key == .processor ? "a time over 0s" : "a size over 0B") in a span from 1m to 400d, not \(quoted(text))"
        }
    }

    var fix: String {
        switch self {
        case .wrongType(let key, _, _, let remedies) where !remedies.isEmpty:
            "write \(alternatives(remedies.map { "`\(key.rawValue): \($0)`" }))"
        case .wrongType(.tasks, _, _, _), .wrongType(.apps, _, _, _):
            "put each on a line of its own, deeper than this one: `NAME:`, and its keys below it"
        case .wrongType(let key, _, _, _): "write, for example, `\(key.example)`"
        case .noValue(let key, let example) where key.isRequired: "write, for example, `\(example)`"
        case .noValue(_, let example): "write, for example, `\(example)`, or take the key out"
        case .outOfRange(let key, _, let range): "write a value \(range), such as `\(key.example)`"
        case .notAChoice(_, _, _, let nearest?): "did you mean `\(nearest)`?"
        case .notAChoice(let key, _, let choices, nil):
            "write \(alternatives(choices.map { "`\(key.rawValue): \($0)`" }))"
        case .unsupportedVersion: "write `version: 1`"
        case .digest(let text):
            DigestText.remedy(for: text).map { "write `sha256: \($0)`" }
                ?? "run `sha256sum FILE` on the plugin's file, and write the digits that it prints"
        case .unknownZone(_, let nearest?): "did you mean `\(nearest)`?"
        case .unknownZone(_, nil):
            "write a name of the zone database, such as `Europe/Berlin`; `timedatectl "
                + "list-timezones` lists them"
        case .noZoneDatabase: "install it: `apt-get install tzdata`"
        case .window(_, let fault): fault.fix
        case .time(_, let fault): fault.fix
        case .day(_, let fault): fault.fix
        case .daysOutOfOrder: "write a `from` that is not after `until`"
        case .retryOutOfOrder: "write a `first` that is at most `max`"
        case .costLimit(let key, _): "write, for example, `\(key.example(in: .costLimit))`"
        }
    }
}

/// An error in a window's text.
public enum WindowFault: Error, Sendable, Hashable {
    /// With the day as it should be written, if it can be guessed.
    case day(String, nearest: String?)
    case time(String)
    case noTimes
    case noEnd
    case opensAsItCloses

    var message: String {
        switch self {
        case .day(let day, _): "has \(quoted(day)), which is not a day"
        case .time(let time): "has \(quoted(time)), which is not a time of day"
        case .noTimes: "has no times"
        case .noEnd: "has no time at which it closes"
        case .opensAsItCloses: "opens and closes at the same time"
        }
    }

    var fix: String {
        switch self {
        case .day(_, let nearest?): "did you mean `\(nearest)`?"
        case .day(_, nil):
            "days are Mon, Tue, Wed, Thu, Fri, Sat and Sun: `\"Sat,Sun 22:00-07:00\"` or "
                + "`\"Mon-Fri 09:00-17:00\"`"
        case .time: "times are from 00:00 to 24:00: `\"01:00-05:00\"`"
        case .noTimes, .noEnd:
            "write when it opens and closes: `\"01:00-05:00\"` or `\"Sat,Sun 00:00-24:00\"`"
        case .opensAsItCloses: "write `\"00:00-24:00\"` for the whole day"
        }
    }
}
