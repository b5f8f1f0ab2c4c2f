/// Where uses of an app are learned from: one entry of its `usage`.
public enum UsageSource: Sendable, Hashable, Codable {
    /// How the time of a line is written.
    public enum TimeFormat: Sendable, Hashable, Codable {
        /// As in the common log format: `[10/Oct/2026:13:55:36 +0200]`.
        case common
        case rfc3339
        /// As strptime has it, in the C locale.
        case strptime(String)
    }

    /// A line of a log file is a use, if it matches: a POSIX extended regular expression; nil: every line.
    case log(path: String, match: String?, time: TimeFormat)
    /// A login is a use; nil: anybody's.
    case login(user: String?)
    /// A message of a unit in systemd's journal is a use, if it matches.
    case journal(unit: String, match: String?)
    /// Whoever opens, reads or writes a file, or an entry of a folder, uses the app.
    case access(path: String)

    public init(log: String, match: String?, time: TimeFormat) {
        self = .log(path: log, match: match, time: time)
    }
}
