/// The cron that reads the crontabs of a machine; no two agree on what they pass over and which variables they know.
///
/// The rules of Debian's were tried with its 3.0pl1-162; those of cronie are from its `database.c`, `entry.c` and `user.c`.
public enum CronKind: String, Sendable, CaseIterable {
    /// Paul Vixie's 3.0pl1, as Debian and Ubuntu have it.
    case debian
    /// Fedora's, Red Hat's, SUSE's, Arch's and Gentoo's.
    case cronie

    public var name: String {
        switch self {
        case .debian: "Debian's cron"
        case .cronie: "cronie"
        }
    }

    /// Debian's cron passes over the whole file for a line that it can't read, or that ends without a line end.
    var passesOverWholeFile: Bool { self == .debian }

    /// The variables that cronie alone understands; to Debian's cron they are variables of the job, like any other.
    static let ofCronieAlone: Set<String> = ["CRON_TZ", "RANDOM_DELAY", "MLS_LEVEL"]

    /// Whether the variable is for cron itself, and not for the job.
    func reads(_ variable: String) -> Bool {
        CrontabVariables.ofCron.contains(variable)
            && (self == .cronie || !Self.ofCronieAlone.contains(variable))
    }

    /// The variables that it sets for every job, so that no line can change them.
    var fixedVariables: Set<String> {
        switch self {
        case .debian: ["LOGNAME"]
        case .cronie: ["LOGNAME", "USER"]
        }
    }

    /// The lines a file may have.
    var lineCount: Int {
        switch self {
        case .debian: 10_000
        case .cronie: .max
        }
    }

    /// The bytes of a line in which it looks for a setting.
    var settingLength: Int { self == .debian ? 998 : .max }

    /// The bytes that a command may have.
    var commandLength: Int { self == .debian ? 998 : .max }
}
