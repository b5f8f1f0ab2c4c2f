import LullModel
import LullSystem
import LullWorkers

/// When the disk is looked at, and whose folders: while somebody may write, and while it is short.
///
/// What is free costs a call. A folder is walked through only where its app has a limit and the disk has lost enough since
/// the last walk, or where the disk is short; never for more than a tenth of the time.
struct DiskWatch {
    static let soon: Duration = .milliseconds(250)
    static let often: Duration = .seconds(2)
    static let rarely: Duration = .seconds(30)
    /// What a look at folders may take in all.
    static let timeout: Duration = .seconds(40)
    /// For what one takes while the apps are stopped, and when they go on at the latest.
    static let hold: Duration = .seconds(1)
    static let holdTimeout: Duration = .seconds(3)

    struct Look: Equatable {
        var at: MonotonicTime
        var took: Duration
        /// What was free then.
        var room: Int64
        var bytes: Int64 = 0
    }

    /// Until the look after the next, and when that is; nil: none is due.
    var gap = Self.soon
    var next: MonotonicTime?
    /// The last record found no room.
    var isFull = false
    /// A thread is at it.
    var isLooking = false
    /// When each app began what it has under way.
    var begun: [AppIdentifier: WallTime] = [:]
    /// Apps with a limit that have been at work since they were looked at.
    var lastLooks: Set<AppIdentifier> = []
    /// Of apps with a limit.
    var looks: [AppIdentifier: Look] = [:]
    /// At all folders, since the disk is short.
    var lookAtAll: Look?
    /// Who was named in the log.
    var named: [AppIdentifier] = []

    mutating func begin(_ app: AppIdentifier, isFirst: Bool, at time: WallTime) {
        if isFirst || begun[app] == nil { begun[app] = time }
        gap = Self.soon
    }

    func isDueSoon(at now: MonotonicTime) -> Bool {
        next.map { now < $0 && $0 <= now + Self.soon } ?? false
    }

    /// Whether all folders are to be looked at again: the disk has lost more, or time has passed.
    func isDue(allAt now: MonotonicTime, _ room: DiskRoom) -> Bool {
        guard let last = lookAtAll else { return true }
        let passed = now - last.at
        return passed >= max(Self.often, last.took * 10)
            && (room.bytes <= last.room - Limits.diskGrowth.bytes || passed >= Self.rarely * 2)
    }

    /// Whether the folder of an app with a limit is to be looked at; `room`: what is free where it lies.
    func isDue(
        _ app: AppIdentifier, limit: Int64, at now: MonotonicTime, room: Int64, isAtWork: Bool, isAsked: Bool
    ) -> Bool {
        guard let last = looks[app] else { return isAtWork || isAsked }
        if !isAtWork, lastLooks.contains(app) { return true }
        let passed = now - last.at
        guard passed >= max(Self.often, last.took * 10) else { return false }
        guard isAtWork else { return isAsked && passed >= Self.rarely * 2 }
        return last.room - room > max(0, (limit - last.bytes) / 4) || passed >= Self.rarely
    }
}

extension DiskWatch {
    typealias Folder = (app: AppIdentifier, look: FolderLook)

    static func limitedFolders(of manifest: Manifest, in state: StateFolder, limit: Duration) -> [Folder] {
        manifest.apps.filter { $0.limits.disk != nil }.map {
            ($0.identifier, FolderLook(state.appFolder($0.identifier.text), limit: limit))
        }
    }

    /// For a thread of its own.
    static func take(_ folders: [Folder]) -> [AppIdentifier: FolderLook.Found] {
        Dictionary(folders.map { ($0.app, $0.look.take()) }) { first, _ in first }
    }

    /// Of those that moved files while they were looked at.
    static func held(_ folders: [Folder], _ found: [AppIdentifier: FolderLook.Found]) -> [Folder] {
        let moving = folders.filter { found[$0.app]?.isSteady == false }
        return moving.map { app, look in
            var look = look
            (look.isHeld, look.limit) = (true, hold / moving.count)
            return (app, look)
        }
    }
}
