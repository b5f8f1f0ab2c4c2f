import Logging
import LullModel
import LullScheduler
import LullSystem
import LullWorkers

/// Looks at the disk under the state and at the apps' folders there; the scheduler decides what follows.
extension Host {
    /// An app may write from now on.
    func watchDisk(usedBy app: AppIdentifier) {
        let isFirst = scheduler.runCount(of: app) == 1
        disk.begin(app, isFirst: isFirst, at: Clock.wall)
        // For another run of its app the look that is due soon is enough: a thousand may begin at once.
        if isFirst || !disk.isDueSoon(at: Clock.monotonic) { lookAtDisk() }
    }

    func lookAtDisk() {
        guard !isFinished, let room = DiskRoom(of: configuration.state.path) else { return }
        let wasShort = scheduler.isDiskShort
        handle(.diskLooked(room, isFull: disk.isFull))
        if scheduler.isDiskShort, !wasShort {
            logger.error("\(scheduler.diskTrouble ?? "")")
        } else if wasShort, !scheduler.isDiskShort {
            (disk.lookAtAll, disk.named) = (nil, [])
            logger.notice("The disk that holds Lull's state has room again.")
            writer.keepReserve()
        }
        lookAtFolders(room)
        armDiskTimer()
    }

    private func armDiskTimer() {
        var gap: Duration?
        if scheduler.runCount > 0 || scheduler.startsWorkers || !disk.lastLooks.isEmpty {
            gap = disk.gap
            disk.gap = min(disk.gap * 2, DiskWatch.often)
        } else if scheduler.isDiskShort || manifest.apps.contains(where: isHeldBack) {
            gap = DiskWatch.rarely
        }
        disk.next = gap.map { Clock.monotonic + $0 }
        diskTimer?.arm(disk.next)
    }

    /// Whether work of the app waits for room in its folder.
    private func isHeldBack(_ app: App) -> Bool {
        guard app.limits.disk != nil else { return false }
        return scheduler.isFolderTooLarge(app.identifier) && !scheduler.pending(of: app.identifier).isEmpty
            || scheduler.waitsForRoom(app.identifier)
    }

    /// A transfer may wait for room from now on.
    func watchTransferRoom() { if disk.next == nil { armDiskTimer() } }

    private func lookAtFolders(_ room: DiskRoom) {
        guard !disk.isLooking else { return }
        let now = Clock.monotonic
        if scheduler.isDiskShort, disk.isDue(allAt: now, room) { return lookAtAllFolders(room) }
        let due = manifest.apps.filter { app in
            guard let limit = app.limits.disk else { return false }
            let isAtWork = scheduler.isAtWork(app.identifier)
            if isAtWork { disk.lastLooks.insert(app.identifier) }
            return disk.isDue(
                app.identifier, limit: limit, at: now, room: self.room(of: app.identifier),
                isAtWork: isAtWork,
                isAsked: isHeldBack(app))
        }
        look(due.map { folder($0.identifier, limit: .seconds(5)) }, isAll: false)
    }

    private func room(of app: AppIdentifier) -> Int64 {
        DiskRoom(of: configuration.state.appFolder(app.text))?.bytes ?? 0
    }

    /// Looks first at the apps at work, which may be filling the disk, so that they need not wait for the others.
    private func lookAtAllFolders(_ room: DiskRoom) {
        let started = Clock.monotonic
        let names = (configuration.state.contents?.folder("apps")?.names ?? []).compactMap {
            AppIdentifier($0)
        }
        let writing = names.filter(scheduler.isAtWork).map { folder($0, limit: .seconds(3)) }
        let others = names.filter { !scheduler.isAtWork($0) }
        look(writing, isAll: false) { [unowned self] first in
            look(others.map { folder($0, limit: .seconds(1)) }, with: first, isAll: true) {
                [unowned self] _ in
                disk.lookAtAll = DiskWatch.Look(
                    at: Clock.monotonic, took: Clock.monotonic - started, room: room.bytes)
            }
        }
    }

    private func folder(_ app: AppIdentifier, limit: Duration) -> DiskWatch.Folder {
        (
            app,
            FolderLook(
                configuration.state.appFolder(app.text), since: disk.begun[app],
                supervisors: pool?.supervisors(of: app) ?? [], limit: limit)
        )
    }

    private func look(
        _ folders: [DiskWatch.Folder], with seen: [AppIdentifier: FolderUse] = [:], isAll: Bool,
        then done: (([AppIdentifier: FolderUse]) -> Void)? = nil
    ) {
        guard !folders.isEmpty || isAll || done != nil else { return }
        disk.isLooking = true
        let started = Clock.monotonic
        blocking.run(within: DiskWatch.timeout) {
            DiskWatch.take(folders)
        } then: { [unowned self] found in
            // A disk that does not answer yields no results.
            let found = found ?? [:]
            lookStill(DiskWatch.held(folders, found)) { [unowned self] held in
                let all = found.merging(held) { $1.use.isWhole || $1.use.bytes >= $0.use.bytes ? $1 : $0 }
                let uses = seen.merging(all.mapValues(\.use)) { $1 }
                conclude(folders, uses, since: started, isAll: isAll)
                done?(uses)
                armDiskTimer()
            }
        }
    }

    /// Looks again at folders whose files moved during the first look, while their apps are stopped.
    private func lookStill(
        _ folders: [DiskWatch.Folder], then: @escaping ([AppIdentifier: FolderLook.Found]) -> Void
    ) {
        guard !folders.isEmpty else { return then([:]) }
        for (app, _) in folders { pool?.holdStill(app) }
        blocking.run(within: DiskWatch.holdTimeout) {
            DiskWatch.take(folders)
        } then: { [unowned self] found in
            for (app, _) in folders { pool?.letGo(app) }
            then(found ?? [:])
        }
    }

    private func conclude(
        _ folders: [DiskWatch.Folder], _ found: [AppIdentifier: FolderUse], since started: MonotonicTime,
        isAll: Bool
    ) {
        for (app, _) in folders {
            disk.looks[app] = DiskWatch.Look(
                at: Clock.monotonic, took: Clock.monotonic - started, room: room(of: app),
                bytes: found[app]?.bytes ?? 0)
            if !scheduler.isAtWork(app) { disk.lastLooks.remove(app) }
        }
        handle(.foldersLooked(found, isAll: isAll))
        let culprits = scheduler.diskCulprits
        if culprits != disk.named, !culprits.isEmpty {
            disk.named = culprits
            logger.error("\(scheduler.diskTrouble ?? "")")
        }
        disk.isLooking = false
    }

    /// Looks at limited folders before a manifest is in force, so that no app over its limit is launched.
    func lookAtLimitedFolders(of manifest: Manifest, then: @escaping () -> Void) {
        let folders = DiskWatch.limitedFolders(of: manifest, in: configuration.state, limit: .seconds(5))
        guard !folders.isEmpty else { return then() }
        blocking.run(within: configuration.lookWait) {
            DiskWatch.take(folders)
        } then: { [unowned self] found in
            handle(.foldersLooked((found ?? [:]).mapValues(\.use), isAll: false))
            then()
        }
    }
}
