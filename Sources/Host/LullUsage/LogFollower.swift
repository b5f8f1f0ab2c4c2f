import LullModel
import LullSystem

/// Follows one log through growth, rotation and truncation, so that each of its lines is read once.
///
/// A renamed log stays open beside the new one until the next rotation, because its writer may switch late. Without
/// `events` it is read once, for `run --once`.
final class LogFollower: SourceFollower {
    private let path: String
    private let app: AppIdentifier
    private let events: FileEvents?
    private let makeReader: () -> any UseReader
    private let changed: () -> Void
    /// The fault to report when the log does not exist; nil for none.
    private let absence: UsageFault?
    private var pathWatch: PathWatch?
    private var current: (file: LogFile, watch: FileEvents.Token?)?
    private var previous: (file: LogFile, watch: FileEvents.Token?)?
    /// A rotated file that was too long for one look and is still being read.
    private var rotated: LogFile?
    /// How far the log has been read; where to continue while no file is open.
    private var position: LogPosition?

    init(
        _ path: String, of app: AppIdentifier, from position: LogPosition?, events: FileEvents?,
        absence: UsageFault? = nil, reader: @escaping () -> any UseReader, changed: @escaping () -> Void
    ) {
        self.path = path
        self.app = app
        self.position = position
        self.events = events
        self.absence = absence
        makeReader = reader
        self.changed = changed
        pathWatch = events.map { PathWatch(path, events: $0, changed: changed) }
    }

    deinit {
        events?.forget(current?.watch)
        events?.forget(previous?.watch)
    }

    var place: UsagePlace? { position.map(UsagePlace.log) }

    func look(_ look: inout Look) {
        pathWatch?.refresh()
        if let refusal = pathWatch?.refusal { refuse(refusal, &look) }
        readPrevious(&look)
        readCurrent(&look)
        if current == nil, readRotated(&look) { begin(&look) }
        if let file = current?.file { position = file.position(at: look.now) }
    }

    /// Reads the lines that a late writer still adds to the renamed log.
    private func readPrevious(_ look: inout Look) {
        guard let file = previous?.file else { return }
        if file.isDeleted {
            closePrevious(&look)
        } else {
            read(file, &look)
        }
    }

    private func closePrevious(_ look: inout Look) {
        guard let (file, watch) = previous else { return }
        file.readToEnd { look.found($0) }
        complain(of: file, &look)
        events?.forget(watch)
        previous = nil
    }

    /// Reads new lines, and closes or sets aside a file that is no longer the log.
    private func readCurrent(_ look: inout Look) {
        guard let (file, watch) = current else { return }
        if file.wasRewritten {
            // The inode may hold another log now; `begin` looks for a copy of the old content beside it.
            events?.forget(watch)
            current = nil
            return
        }
        let isAll = read(file, &look)
        position = file.position(at: look.now)
        // The next file is opened only after this one was read to its end.
        guard isAll else { return }
        let number = LogFolder.number(of: path)
        guard number != [file.device, file.inode], number != nil || file.isDeleted else { return }
        closePrevious(&look)
        current = nil
        previous = (file, watch)
        if file.isDeleted {
            closePrevious(&look)
            position = .nothing(at: look.now)
        }
    }

    /// Opens the log, after reading the rotated files that were written since the last look.
    private func begin(_ look: inout Look) {
        let refusal = LogFile.refusal(at: path)
        if let refusal {
            explain(refusal, &look)
            guard refusal == .missing else { return }
        }
        let limit = position == nil ? Limits.usageFirstBytes : Limits.usageCatchUpBytes
        let plan = LogFolder.plan(for: path, from: position, limit: Int64(limit))
        if plan.isBroken, previous == nil { look.complain(.rotatedAway(path: path)) }
        for step in plan.steps where step.path != path {
            guard readRotated(step, &look) else { return }
        }
        // While the log does not exist, the rotated files beside it are not read again.
        if refusal != nil {
            if !plan.steps.isEmpty || position != nil { position = .nothing(at: look.now) }
            return
        }
        let step = plan.steps.first { $0.path == path } ?? LogPlan.Step(path: path, offset: 0)
        do throws(LogFile.Refusal) {
            let file = try open(step)
            // Watched before it is read, so that lines written meanwhile cause another look.
            current = (file, watch(file, &look))
            read(file, &look)
        } catch {
            explain(error, &look)
        }
    }

    /// False if more of the file is left for the next look.
    private func readRotated(_ step: LogPlan.Step, _ look: inout Look) -> Bool {
        // The file that is still open was read already.
        if let previous, LogFolder.number(of: step.path) == [previous.file.device, previous.file.inode] {
            return true
        }
        guard let file = try? open(step) else { return true }
        rotated = file
        return readRotated(&look)
    }

    /// Continues the rotated file that was begun; the position at its end tells `begin` which file comes next.
    private func readRotated(_ look: inout Look) -> Bool {
        guard let file = rotated else { return true }
        guard read(file, &look) else {
            position = file.position(at: look.now)
            return false
        }
        file.readToEnd { look.found($0) }
        complain(of: file, &look)
        position = file.position(at: look.now)
        rotated = nil
        return true
    }

    private func watch(_ file: LogFile, _ look: inout Look) -> FileEvents.Token? {
        guard let events else { return nil }
        do throws(FileEvents.Refusal) {
            return try events.watch(file.ownPath, for: [.modified, .attributes, .moved, .deleted]) {
                [unowned self] _, _ in changed()
            }
        } catch {
            refuse(error, &look)
            return nil
        }
    }

    private func open(_ step: LogPlan.Step) throws(LogFile.Refusal) -> LogFile {
        try LogFile(step.path, at: step.offset, isMidLine: step.isMidLine, reader: makeReader())
    }

    /// Returns whether all of the file was read.
    @discardableResult
    private func read(_ file: LogFile, _ look: inout Look) -> Bool {
        var budget = look.budget
        let isAll = file.read(budget: &budget) { look.found($0) }
        if !isAll { look.hasMore = true }
        look.budget = budget
        complain(of: file, &look)
        return isAll
    }

    private func complain(of file: LogFile, _ look: inout Look) {
        if file.tooLong > 0 { look.complain(.linesTooLong(path: path)) }
        if file.withoutTime > 0 { look.complain(.linesWithoutTime(path: path, app: app)) }
    }

    private func explain(_ refusal: LogFile.Refusal, _ look: inout Look) {
        switch refusal {
        // The manifest's reader has reported a missing log, and the log's folder is watched.
        case .missing: if let absence { look.complain(absence) }
        case .unreadable(let code): look.complain(.unreadable(path: path, code: code))
        case .notAFile: look.complain(.notAFile(path: path))
        case .foreignLink(let maker): look.complain(.foreignLink(path: path, maker: maker))
        }
    }

    private func refuse(_ refusal: FileEvents.Refusal, _ look: inout Look) {
        guard !refusal.isAbsence else { return }
        look.complain(.unwatchable(path: path, code: refusal.code))
        look.isBlocked = true
    }
}
