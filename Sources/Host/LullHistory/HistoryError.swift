/// An error of the history; `message` describes it, `fix` the remedy.
public enum HistoryError: Error, Sendable, Equatable {
    /// Nothing was ever recorded there.
    case missing(folder: String)
    /// Written by a newer Lull.
    case newer(path: String, version: Int, known: Int)
    /// A newer Lull wrote the checkpoint, and part of the log from which this Lull could make it anew is gone.
    case newerCheckpoint(version: Int, known: Int)
    /// A database of some other program.
    case foreign(path: String)
    case damaged(path: String, what: String)
    case full(path: String)
    /// This process may not write files of this size.
    case tooLarge(path: String)
    case readOnly(path: String)
    /// Another process has kept the database locked for longer than the timeout.
    case busy(path: String, holder: LockHolder?)
    /// The file or folder can't be opened, made or read; with the reason.
    case inaccessible(path: String, reason: String)
    /// Any other error that SQLite reports.
    case failed(path: String, code: Int32, reason: String)
    /// The file at the path was deleted, moved or unmounted while the history is open.
    case vanished(path: String)
    /// Another program has truncated or overwritten a file, without SQLite, while the history is open.
    case altered(path: String, isShorter: Bool)
    /// Another host has the state folder.
    case held(folder: String, holder: StateLock.Holder?)
    /// Lines that can't be imported, in the file's order, and how many more there are.
    case lines([LineProblem], more: Int)
    /// A file with runs or requests, for a history that has its own.
    case foreignNumbers(path: String)
    /// The writer was closed before this was written.
    case closed

    /// Whether the state was lost or damaged while it was open; a restart may continue.
    public var isStateLost: Bool {
        switch self {
        case .vanished, .damaged, .altered: true
        case .missing, .newer, .newerCheckpoint, .foreign, .full, .tooLarge, .readOnly, .busy, .inaccessible,
            .failed, .held, .lines, .foreignNumbers, .closed:
            false
        }
    }
}

extension HistoryError: CustomStringConvertible {
    public var message: String {
        switch self {
        case .missing(let folder):
            "\(folder): error: there is no history here yet."
        case .newer(let path, let version, let known):
            "\(path): error: this history has version \(version); this Lull knows versions up to \(known)."
        case .newerCheckpoint(let version, let known):
            "error: a newer Lull wrote this state (checkpoint version \(version); this Lull knows \(known)), and some of the "
                + "events from which it could be rebuilt are gone: `retention` deletes old ones."
        case .foreign(let path):
            "\(path): error: this is a database, but not a history of Lull."
        case .damaged(let path, let what):
            "\(path): error: the history is damaged: \(what)."
        case .full(let path):
            "\(path): error: the history can't be written: the disk is full."
        case .tooLarge(let path):
            "\(path): error: the history can't be written: this process may not write files as large "
                + "(`ulimit -f`, `LimitFSIZE=` in a unit)."
        case .readOnly(let path):
            "\(path): error: the history can't be written: it is read-only."
        case .busy(let path, let holder):
            "\(path): error: \(holder?.words ?? "another program") has kept the history locked for over "
                + "\(SQLiteHistory.busySeconds) s."
        case .inaccessible(let path, let reason):
            "\(path): error: \(reason)."
        case .failed(let path, let code, let reason):
            "\(path): error: SQLite reports \(reason) (code \(code))."
        case .vanished(let path):
            "\(path): error: it was deleted, moved or unmounted under the running host."
        case .altered(let path, let isShorter):
            "\(path): error: it was \(isShorter ? "cut short" : "written over") under the running host, and not by Lull."
        case .held(let folder, let holder):
            if let holder {
                "\(folder): error: another host has this state: process \(holder.pid), "
                    + "since \(holder.since.rfc3339)."
            } else {
                "\(folder): error: another host has this state."
            }
        case .lines(let problems, let more):
            (problems.map(\.description) + (more > 0 ? ["… and \(more) more."] : [])).joined(separator: "\n")
        case .foreignNumbers(let path):
            "\(path): error: the file holds requests, runs or transfers whose numbers a host that has run on this history "
                + "may have given to its own."
        case .closed:
            "error: the history was closed before this was written."
        }
    }

    public var fix: String {
        switch self {
        case .missing:
            "Start a host with 'lull run' or record a use with 'lull used', or name another folder with --state."
        case .newerCheckpoint:
            "Run the Lull that wrote it, or a newer one; or start afresh in another folder with --state."
        case .newer:
            "Run the Lull that wrote it, or name another folder with --state."
        case .foreign:
            "Move the file away, or name another folder with --state."
        case .damaged:
            "Start the host: it moves the file aside as history.damaged-<time>.sqlite and goes on with what can "
                + "still be read of it. Check the disk."
        case .full:
            "Free some space; what was not recorded did not happen."
        case .tooLarge:
            "Raise the limit and start the host again; what was not recorded did not happen."
        case .readOnly:
            "Run it as the user that owns the state folder, on a file system that is mounted writable."
        case .busy(_, let holder):
            holder?.fix ?? "Find the program with 'fuser history.sqlite' in the state folder, and end it."
        case .inaccessible:
            "Check the folder and its permissions, or name another with --state."
        case .failed:
            "Check the disk and the state folder; if this persists, report it with this line."
        case .vanished:
            "Put back what was there, or begin with an empty folder, and start the host again. Every change that a "
                + "command confirmed had been recorded before."
        case .altered:
            "Start the host again: it goes on with what can still be read, and moves aside what is damaged. The last "
                + "records may be lost; nothing was acknowledged since. Find out which program did it."
        case .held:
            "Let it end first, or name another folder with --state."
        case .lines:
            "Nothing was imported. Correct the lines and import the file again."
        case .foreignNumbers:
            "Import it into an empty state folder, or keep only its uses: grep '\"event\":\"used\"'."
        case .closed:
            "Start the host again."
        }
    }

    public var description: String { message + "\n" + fix }
}
