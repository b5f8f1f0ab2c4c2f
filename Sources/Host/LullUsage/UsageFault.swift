private import Glibc
public import LullModel

/// A reason why uses may be missed, with its remedy; each is reported once for as long as it lasts.
public enum UsageFault: Error, Sendable, Hashable {
    /// With an errno.
    case unreadable(path: String, code: Int32)
    case notAFile(path: String)
    /// With the ID of the user who created the link.
    case foreignLink(path: String, maker: UInt32)
    case unwatchable(path: String, code: Int32)
    case rotatedAway(path: String)
    case linesTooLong(path: String)
    case linesWithoutTime(path: String, app: AppIdentifier)
    case noLogins(path: String)
    case noJournal(unit: String)
    case journalEnded(unit: String, words: String)
    case fromTheFuture(AppIdentifier)
    case positions(path: String, code: Int32)

    /// Why a source's log will not be read, whatever user the host runs as; nil if no reason is known.
    public init?(against source: UsageSource) {
        guard case .log(let path, _, _) = source else { return nil }
        switch LogFile.refusal(at: path) {
        case .notAFile?: self = .notAFile(path: path)
        case .foreignLink(let maker)?: self = .foreignLink(path: path, maker: maker)
        case .missing?, .unreadable?, nil: return nil
        }
    }

    /// Whether the fault is over when a look at the source no longer finds it; any other fault is reported only once.
    var lasts: Bool {
        switch self {
        case .unreadable, .notAFile, .foreignLink, .unwatchable, .noLogins, .noJournal, .positions: true
        case .rotatedAway, .linesTooLong, .linesWithoutTime, .journalEnded, .fromTheFuture: false
        }
    }

    public var message: String {
        switch self {
        case .unreadable(let path, let code):
            "\(path) can't be read (\(words(code))): Lull learns no uses from it."
        case .notAFile(let path): "\(path) is not a plain file on a disk: Lull learns no uses from it."
        case .foreignLink(let path, let maker):
            "\(path) goes through a link that user \(maker) made to somebody else's file: Lull does not follow it, "
                + "and learns no uses from it."
        case .unwatchable(let path, let code):
            "\(path) can't be watched (\(words(code))): Lull learns its uses when something else wakes it."
        case .rotatedAway(let path):
            "\(path) was rotated away since it was last read: uses may be missing."
        case .linesTooLong(let path):
            "\(path) has lines over \(Limits.usageLineBytes >> 10) KiB: Lull skips them."
        case .linesWithoutTime(let path, let app):
            "Lines of \(path) match for \(app), but have no time in the format of `time`: they do not count as uses."
        case .noLogins(let path): "There is no \(path): Lull learns no logins from it yet."
        case .noJournal(let unit): "There is no journalctl: Lull learns no uses from messages of \(unit)."
        case .journalEnded(let unit, let words): "journalctl ended while it followed \(unit): \(words)"
        case .fromTheFuture(let app): "A source of \(app) has uses in the future: Lull leaves them out."
        case .positions(let path, let code):
            "\(path) can't be written (\(words(code))): after a restart Lull reads logs again from an earlier place."
        }
    }

    public var fix: String {
        switch self {
        case .unreadable(let path, _): "Let Lull read it, for example `setfacl -m u:USER:r \(path)`."
        case .notAFile, .foreignLink: "Name the file that the lines are written to."
        case .unwatchable(_, ENOSPC): "Raise `sysctl fs.inotify.max_user_watches`."
        case .unwatchable(let path, _):
            "Let Lull read its folder, for example `setfacl -m u:USER:rx` above \(path)."
        case .rotatedAway: "`lull usage import` reads compressed logs too."
        case .linesTooLong: "Do nothing, unless uses are among them."
        case .linesWithoutTime: "Give `time` the format of these lines, or a `match` that leaves them out."
        case .noLogins:
            "If logins are kept elsewhere (wtmpdb, lastlog2), write "
                + "`journal: { unit: systemd-logind, match: 'New session' }`."
        case .noJournal: "Install systemd, or name a `log` that the unit writes."
        case .journalEnded: "Lull starts it again later; `journalctl --unit=NAME` shows what is wrong."
        case .fromTheFuture: "Set the clocks, or give the log's `time` its zone with `%z`."
        case .positions: "Make room, and let Lull write there."
        }
    }

    private func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
