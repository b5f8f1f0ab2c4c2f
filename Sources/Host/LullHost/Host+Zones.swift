import LullModel
import LullScheduler
import LullSystem

/// The zones by which times and windows go, and that of the host, which may become another while it runs.
extension Host {
    func loadZones() {
        zones = ZoneLoader.load(manifest.zoneNames, around: Clock.wall)
        zonesLoaded = Clock.wall
    }

    func refreshZones() {
        let wall = Clock.wall
        guard wall - zonesLoaded > .days(30) || wall < zonesLoaded - .days(30) else { return }
        loadZones()
    }

    /// `/etc/localtime` is a link in most places, and a file in some.
    func watchZone() {
        let path = configuration.roots.etc + "/localtime"
        zoneWatch = FilesWatch(loop: loop, files: { [path] }) { [unowned self] in
            let before = zones.host
            loadZones()
            guard zones.host != before, !isShuttingDown else { return }
            logger.notice(
                "The time zone of this host is \(zones.host.name) now, and was \(before.name): times and windows go by it."
            )
            // What was reckoned in the old one is reckoned again.
            handle(.wake)
            noteChange()
        }
    }

    func fileShortageChanged() {
        if let shortage = loop.fileShortage {
            logger.warning("\(shortage.sentence(interval: loop.fileLookInterval))")
        } else {
            logger.notice("Files are watched again.")
        }
        noteChange()
    }
}
