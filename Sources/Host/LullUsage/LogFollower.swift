import LullModel
import LullSystem

/// Follows one log through growth, rotation and truncation, so that each of its lines is read once.
///
/// A log that is renamed stays open beside the new one until the next rotation, for its writer may be slow to change
/// over. Without `events` it is read once: what `run --once` does.
final class LogFollower: SourceFollower {
    private let path: String
    private let app: AppIdentifier
    private let events: FileEvents?
    private let makeReader: () -> any UseReader
    private let changed: () -> Void
    /// What it says when there is no such log; nil: nothing.
    private let absence: UsageFault?
    private var pathWatch: PathWatch?
    private var current: (file: LogFile, watch: FileEvents.Token?)?
    private var previous: (file: LogFile, watch: FileEvents.Token?)?
    /// One that rotation has left, and that is more than one look reads.
    private var rotated: LogFile?
    /// Where to go on while no file is open.
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

    /// A late writer's lines.
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

    /// Reads on, and lets go of a file that is the log no more.
    private func readCurrent(_ look: inout Look) {
        guard let (file, watch) = current else { return }
        if file.wasRewritten {
            // Its number may serve another file now; a copy of what it was is looked for beside it.
            events?.forget(watch)
            current = nil
            return
        }
        let isAll = read(file, &look)
        position = file.position(at: look.now)
        // What comes after it is read after it.
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

    /// Opens the log, after reading what rotation has left between it and what was read last.
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
        // What lies beside it is not read again while there is no log.
        if refusal != nil {
            if !plan.steps.isEmpty || position != nil { position = .nothing(at: look.now) }
            return
        }
        let step = plan.steps.first { $0.path == path } ?? LogPlan.Step(path: path, offset: 0)
        do throws(LogFile.Refusal) {
            let file = try open(step)
            // Watched before it is read, so that what is written meanwhile is told.
            current = (file, watch(file, &look))
            read(file, &look)
        } catch {
            explain(error, &look)
        }
    }

    /// False: there is more of it, to be read in the next look.
    private func readRotated(_ step: LogPlan.Step, _ look: inout Look) -> Bool {
        // What is open is read already.
        if let previous, LogFolder.number(of: step.path) == [previous.file.device, previous.file.inode] {
            return true
        }
        guard let file = try? open(step) else { return true }
        rotated = file
        return readRotated(&look)
    }

    /// Goes on with the one that was begun; what comes after it is found by where its end is.
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

    /// Whether it was all.
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
        // The manifest's reader has said so, and its folder is watched.
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
