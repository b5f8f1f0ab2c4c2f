/// Keys of a task that are right one by one, but contradict each other; each is a warning.
public enum RhythmProblem: Sendable, Hashable {
    /// No time of `at` lies in the windows, and `missed: skip` gives each of them up.
    case timesGivenUp(windows: String)
    /// No time of `at` lies in the windows: a run that is due at one waits until they open.
    case timesWait(due: String, opening: String, windows: String)
    /// Runs that are this far apart are fewer than expected.
    case repeatsTooSeldom(Key, apart: String, expected: String, enough: String?)
    /// `at` launches the task `count` times between two of its launches, and more are expected.
    case timesTooSeldom(between: String, length: String, count: Int, expected: String, enough: String?)
    case windowsClosedTooLong(from: String, length: String, expected: String, enough: String?)
    case windowsTooSeldom(perWeek: Int, repeat: String, expected: String)
    case expectsOfDisabled
    /// Neither `repeat` nor `at`, and a plugin that asks for nothing.
    case nobodyAsks
    /// No time of `at` comes on a day that `only`, `except`, `from` and `until` leave open.
    case timesOnClosedDays
    case noOpenDay

    var message: String {
        switch self {
        case .timesGivenUp(let windows):
            "no time of `at` is in the windows, \(windows), and `missed: skip` drops missed times: "
                + "`at` never launches this task"
        case .timesWait(let due, let opening, let windows):
            "no time of `at` is in the windows, \(windows): what is due at \(due) is launched no earlier than \(opening)"
        case .repeatsTooSeldom(let key, let apart, let expected, _):
            "at least \(expected) is expected, but `\(key.rawValue)` leaves \(apart) or more between two runs"
        case .timesTooSeldom(let between, let length, let count, let expected, _):
            "at least \(expected) is expected, but `at` launches this task \(Self.times(count)) between \(between), "
                + "\(length) apart"
        case .windowsClosedTooLong(let from, let length, let expected, _):
            "at least \(expected) is expected, but the windows are closed from \(from), for \(length)"
        case .windowsTooSeldom(let count, let interval, let expected):
            "at least \(expected) is expected, but with `repeat: \(interval)` the windows let this task run "
                + "\(Self.times(count)) a week at most"
        case .expectsOfDisabled:
            "`expect` has no effect on a task with `enabled: false`"
        case .timesOnClosedDays:
            "no time of `at` comes on a day that `only`, `except`, `from` and `until` leave open"
        case .noOpenDay:
            "`only`, `except`, `from` and `until` leave no day open: Lull never launches this task by itself"
        case .nobodyAsks:
            "this task has neither `repeat` nor `at`, and the plugin Command submits nothing itself: only "
                + "`lull submit` and `lull launch` can meet `expect`"
        }
    }

    var fix: String {
        switch self {
        case .timesGivenUp, .timesWait:
            "write times in the windows, or wider windows; `windows: []` means always"
        case .repeatsTooSeldom(let key, _, _, let enough?):
            "write a shorter `\(key.rawValue)`, or expect less, such as `at_least: \(enough)`"
        case .timesTooSeldom(_, _, _, _, let enough?):
            "write more times, or expect less, such as `at_least: \(enough)`"
        case .windowsClosedTooLong(_, _, _, let enough?):
            "write more windows, or expect less, such as `at_least: \(enough)`"
        case .repeatsTooSeldom, .timesTooSeldom, .windowsClosedTooLong, .windowsTooSeldom:
            "expect less of this task, or let it be launched more often"
        case .expectsOfDisabled: "take `expect` out, or `enabled: false`"
        case .timesOnClosedDays: "write other days, or other times in `at`"
        case .noOpenDay: "write fewer days in `except`, or other days in `only`, `from` and `until`"
        case .nobodyAsks: "write `repeat: 1d`, or `at: \"30 2 * * *\"`"
        }
    }

    private static func times(_ count: Int) -> String {
        switch count {
        case 0: "not once"
        case 1: "once"
        default: "\(count) times"
        }
    }
}
