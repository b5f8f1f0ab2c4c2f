import LullModel
import LullSystem
import LullWorkers

/// When to look at the disk and at which folders: while an app may write, and while the disk is short of room.
///
/// Reading the free space costs one call. A folder is walked only if its app has a limit and the disk has lost enough
/// or 30 s have passed since the last walk, or if the disk is short; never for more than a tenth of the time.
struct DiskWatch {
    static let soon: Duration = .milliseconds(250)
    static let often: Duration = .seconds(2)
    static let rarely: Duration = .seconds(30)
    /// The time limit of one look at folders.
    static let timeout: Duration = .seconds(40)
    /// How long a look may take while the apps are stopped, and when they go on at the latest.
    static let hold: Duration = .seconds(1)
    static let holdTimeout: Duration = .seconds(3)

    struct Look: Equatable {
        var at: MonotonicTime
        var took: Duration
        /// The bytes that were free then.
        var room: Int64
        var bytes: Int64 = 0
    }

    /// How long after the next look another follows, and when the next is due; nil: none is.
    var gap = Self.soon
    var next: MonotonicTime?
    /// The last write to the history failed because the disk was full.
    var isFull = false
    /// A thread is looking at folders.
    var isLooking = false
    /// Since when each app has been at work.
    var begun: [AppIdentifier: WallTime] = [:]
    /// Apps with a limit that have been at work since they were looked at.
    var lastLooks: Set<AppIdentifier> = []
    /// The last look at the folder of each app with a limit.
    var looks: [AppIdentifier: Look] = [:]
    /// The last look at all folders, while the disk is short.
    var lookAtAll: Look?
    /// The apps that the log last named for filling the disk.
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

    /// Looks at the folders; call it on a thread of its own.
    static func take(_ folders: [Folder]) -> [AppIdentifier: FolderLook.Found] {
        Dictionary(folders.map { ($0.app, $0.look.take()) }) { first, _ in first }
    }

    /// The folders whose files moved during the look, for another one while their apps are stopped.
    static func held(_ folders: [Folder], _ found: [AppIdentifier: FolderLook.Found]) -> [Folder] {
        let moving = folders.filter { found[$0.app]?.isSteady == false }
        return moving.map { app, look in
            var look = look
            (look.isHeld, look.limit) = (true, hold / moving.count)
            return (app, look)
        }
    }
}
