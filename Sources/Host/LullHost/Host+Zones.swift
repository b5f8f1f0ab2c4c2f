import LullModel
import LullScheduler
import LullSystem

/// The time zones of the manifest's times and windows, and the host's own, which may change while it runs.
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
                "The time zone of this host is now \(zones.host.name), and was \(before.name): times and windows follow it."
            )
            // Times are computed again in the new zone.
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
