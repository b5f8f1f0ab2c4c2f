private import Glibc
public import LullModel
public import LullSystem

/// Reports files that come to a path or change there, each once it has come to rest.
///
/// A file counts when it has been closed, or was moved or linked there, and nothing has happened to it for `settle`.
/// The kernel's events only say where to look: the files as they were last reported are kept (`Kept`), so that a look
/// at the folder shows what came while nothing watched, or while the kernel lost events. If the folder is not there
/// yet, the nearest one above it is watched.
public final class FileArrivals {
    /// The files as they were last reported, by name.
    public typealias Kept = [String: FileStamp]

    /// Files that have come.
    public struct Arrival {
        public var paths: [String] = []
        public var names: Kept = [:]
        /// The kernel lost events, and the folder was looked at instead.
        public var isIncomplete = false
        /// They were found at the first look.
        public var wasMissed = false
    }

    private struct Change {
        var last: MonotonicTime
        /// A process has it open and writes, as far as is known.
        var isBeingWritten: Bool
        /// The kernel sent an event for it; other files are compared with the known ones.
        var isHeard: Bool
        var wasMissed: Bool
    }

    private enum Way: Equatable {
        /// The folder whose files are watched.
        case folder(String)
        /// A file's folder, with its name.
        case file(in: String, name: String)
        /// The nearest existing folder above one that is missing.
        case above(String)
    }

    /// A file without an event for its close counts as closed after this time.
    static let writerWait: Duration = .seconds(60)

    private let path: WatchedPath
    private let pattern: NamePattern?
    private let events: FileEvents
    private let arrived: (Arrival) -> Void
    private var timer: LoopTimer?
    private var armed: MonotonicTime?
    private var way: Way?
    private var token: FileEvents.Token?
    private var pathWatch: PathWatch?
    private var known: Kept
    private var changes: [String: Change] = [:]
    private var hasLost = false
    /// What keeps it from being watched as it should be; nil: nothing.
    public var trouble: String? { wayTrouble ?? nameTrouble }
    private var wayTrouble: String?
    private var nameTrouble: String?
    private var mayHaveUnnamed = true
    /// A look through a large folder takes long, and anybody who may write there can ask for one at any time.
    private var nextNameLook = Clock.monotonic
    private let troubleChanged: () -> Void

    /// `kept`: nil the first time, when files that are there already are not reported.
    public init(
        _ path: WatchedPath, kept: Kept?, events: FileEvents, loop: EventLoop,
        troubleChanged: @escaping () -> Void = {}, arrived: @escaping (Arrival) -> Void
    ) throws(LoopError) {
        self.path = path
        self.events = events
        self.arrived = arrived
        self.troubleChanged = troubleChanged
        pattern = path.pattern
        known = kept ?? [:]
        timer = try LoopTimer(on: loop) { [unowned self] in ring() }
        pathWatch = PathWatch(path.path, events: events) { [unowned self] in wayChanged() }
        watch()
        if kept == nil { known = Self.look(path).files } else { compare(wasMissed: true) }
        lookForUnnamed()
    }

    deinit { events.forget(token) }

    /// The files that the first look found.
    public var baseline: Kept { known }

    // MARK: The way to it

    private func watch() {
        for _ in 0..<8 {
            let wanted = findWay()
            if wanted == way, token != nil { break }
            events.forget(token)
            (way, token) = (wanted, nil)
            let folder =
                switch wanted {
                case .folder(let folder), .file(let folder, _), .above(let folder): folder
                }
            let kinds: FileEvents.Kind =
                if case .above = wanted { [.names, .moved, .deleted, .attributes] } else {
                    [.names, .modified, .written, .moved, .deleted]
                }
            do throws(FileEvents.Refusal) {
                token = try events.watch(folder, for: kinds, isFolder: true) { [unowned self] kinds, name in
                    heard(kinds, name)
                }
            } catch {
                // It was removed between the look and the watch: look again.
                if error.isAbsence { continue }
                say(Self.sentence(on: error.code, folder))
                return
            }
        }
        switch way {
        case .above(let folder): say("\(path.path) is not there yet, and \(folder) is watched for it")
        default:
            let code = Self.accessTrouble(path.path)
            say(code.map { "\(path.path) can't be read: \(String(cString: strerror($0)))" })
        }
    }

    private static func accessTrouble(_ path: String) -> Int32? {
        guard access(path, R_OK) != 0, errno != ENOENT else { return nil }
        return errno
    }

    private static func sentence(on code: Int32, _ folder: String) -> String {
        code == ENOSPC
            ? "\(folder) can't be watched, because too much is watched already: raise fs.inotify.max_user_watches"
            : "\(folder) can't be watched: \(String(cString: strerror(code)))"
    }

    private func say(_ sentence: String?) {
        guard sentence != wayTrouble else { return }
        wayTrouble = sentence
        troubleChanged()
    }

    /// The history and the environment of a command hold text.
    private func lookForUnnamed() {
        guard mayHaveUnnamed else { return }
        let begin = Clock.monotonic
        guard begin >= nextNameLook else { return arm(nextNameLook) }
        mayHaveUnnamed = false
        defer { nextNameLook = Clock.monotonic + (Clock.monotonic - begin) * 20 }
        let found = FileStamp.hasUnnamed(in: path)
        guard found != (nameTrouble != nil) else { return }
        nameTrouble =
            found
            ? "a file in \(path.path) has a name that is not UTF-8, so it starts nothing: rename it" : nil
        troubleChanged()
    }

    private func findWay() -> Way {
        if FileStamp.look(at: path.path) == .folder { return .folder(path.path) }
        let folder = Self.folder(of: path.path)
        if !path.isFolder, FileStamp.look(at: folder) == .folder {
            return .file(in: folder, name: Self.name(of: path.path))
        }
        var above = folder
        while above != "/", FileStamp.look(at: above) != .folder { above = Self.folder(of: above) }
        return .above(above)
    }

    // MARK: What happens

    private func heard(_ kinds: FileEvents.Kind, _ name: String) {
        if kinds.contains(.lost) {
            hasLost = true
            // Files may have been closed since without an event: `settle` decides.
            for name in changes.keys where changes[name]?.isBeingWritten == true {
                note(name, isBeingWritten: false, isHeard: true)
            }
            return compare(wasMissed: false)
        }
        if name.isEmpty {
            guard !kinds.isDisjoint(with: [.gone, .moved, .deleted]) else { return }
            token = kinds.contains(.gone) ? nil : token
            return findAgain()
        }
        switch way {
        case .above, nil: return findAgain()
        case .file(_, let own):
            guard name == own else { return }
            if FileStamp.look(at: path.path) == .folder { return findAgain() }
        case .folder: guard path.takes(name, pattern) else { return }
        }
        let isWhole =
            !kinds.isDisjoint(with: [.written, Self.movedIn])
            || kinds.contains(Self.created) && isLinked(name)
        let isBeingWritten =
            !isWhole
            && (!kinds.isDisjoint(with: [.modified, Self.created]) || changes[name]?.isBeingWritten == true)
        // Foundation closes a file that it writes atomically only after it has moved it there, and a process that was forked
        // meanwhile later still. Such a close is an arrival only if the file differs from what was reported.
        note(name, isBeingWritten: isBeingWritten, isHeard: kinds != .written)
    }

    /// A link, or another name of a file that was there already: it gets no event for a close.
    private func isLinked(_ name: String) -> Bool {
        var status = stat()
        return lstat(Self.join(path, name), &status) == 0
            && (status.st_mode & S_IFMT == S_IFLNK || status.st_nlink > 1)
    }

    private static let movedIn = FileEvents.Kind(rawValue: UInt32(IN_MOVED_TO))
    private static let created = FileEvents.Kind(rawValue: UInt32(IN_CREATE))

    /// The path may lead to another folder now: one further up was renamed, or something was mounted over it.
    private func wayChanged() {
        pathWatch?.refresh()
        events.forget(token)
        token = nil
        findAgain()
    }

    /// The folder came, went or was replaced; files in the new one came with it.
    private func findAgain() {
        let before = (way, token)
        watch()
        guard way != before.0 || token != before.1 || token == nil else { return }
        if case .above = way {
            known = [:]
            changes = [:]
        }
        compare(wasMissed: false)
    }

    /// Looks for what differs from what is known.
    private func compare(wasMissed: Bool) {
        let (files, _) = Self.look(path)
        for name in known.keys where files[name] == nil { known[name] = nil }
        for (name, stamp) in files where !stamp.isSame(as: known[name]) {
            note(
                name, isBeingWritten: changes[name]?.isBeingWritten ?? false, isHeard: false,
                wasMissed: wasMissed)
        }
        if files.isEmpty { hasLost = false }
    }

    private func note(_ name: String, isBeingWritten: Bool, isHeard: Bool, wasMissed: Bool = false) {
        let before = changes[name]
        let now = Clock.monotonic
        changes[name] = Change(
            last: now, isBeingWritten: isBeingWritten, isHeard: isHeard || before?.isHeard ?? false,
            wasMissed: wasMissed || before?.wasMissed ?? false)
        arm(now + wait(isBeingWritten))
    }

    private func wait(_ isBeingWritten: Bool) -> Duration {
        isBeingWritten ? max(Self.writerWait, path.settle) : path.settle
    }

    private func arm(_ time: MonotonicTime) {
        if let armed, armed <= time { return }
        armed = time
        timer?.arm(time)
    }

    /// Files that come in a row are one event: a settled file waits for the others, this many times as long at most.
    private static let timeout = 4

    /// When the others of a row will have settled; nil: none is worth waiting for.
    private func endOfRow(at now: MonotonicTime) -> MonotonicTime? {
        var first: MonotonicTime?
        var last: MonotonicTime?
        for change in changes.values {
            let due = change.last + wait(change.isBeingWritten)
            if due <= now {
                first = min(first ?? due, due)
            } else if !change.isBeingWritten {
                last = max(last ?? due, due)
            }
        }
        guard let first, let last else { return nil }
        let end = min(last, first + path.settle * Self.timeout)
        return end > now ? end : nil
    }

    private func ring() {
        armed = nil
        let now = Clock.monotonic
        if let end = endOfRow(at: now) { return arm(end) }
        var arrival = Arrival()
        var next: MonotonicTime?
        for (name, change) in changes.sorted(by: { ($0.value.last, $0.key) < ($1.value.last, $1.key) }) {
            let due = change.last + wait(change.isBeingWritten)
            guard due <= now else {
                next = min(next ?? due, due)
                continue
            }
            changes[name] = nil
            guard case .file(let stamp) = FileStamp.look(at: Self.join(path, name)) else {
                known[name] = nil
                if name.contains("\u{FFFD}") { mayHaveUnnamed = true }
                continue
            }
            guard change.isHeard || !stamp.isSame(as: known[name]) else { continue }
            known[name] = stamp
            arrival.paths.append(Self.join(path, name))
            arrival.names[name] = stamp
            if change.wasMissed { arrival.wasMissed = true }
        }
        lookForUnnamed()
        // One look for what comes in a row.
        if let next { arm(max(next, now + .milliseconds(50))) }
        guard !arrival.paths.isEmpty else { return }
        arrival.isIncomplete = hasLost
        if changes.isEmpty { hasLost = false }
        arrived(arrival)
    }
}
