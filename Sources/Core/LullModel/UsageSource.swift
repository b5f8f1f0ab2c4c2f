/// A source of an app's uses: one entry of its `usage`.
public enum UsageSource: Sendable, Hashable, Codable {
    /// The format of the time in a line.
    public enum TimeFormat: Sendable, Hashable, Codable {
        /// As in the common log format: `[10/Oct/2026:13:55:36 +0200]`.
        case common
        case rfc3339
        /// A format of strptime, in the C locale.
        case strptime(String)
    }

    /// A matching line of a log file is a use. `match` is a POSIX extended regular expression; nil: every line.
    case log(path: String, match: String?, time: TimeFormat)
    /// A login is a use; nil: anybody's.
    case login(user: String?)
    /// A matching message of a unit in systemd's journal is a use.
    case journal(unit: String, match: String?)
    /// A process that opens, reads or writes the file, or an entry of the folder, is a use.
    case access(path: String)

    public init(log: String, match: String?, time: TimeFormat) {
        self = .log(path: log, match: match, time: time)
    }
}
