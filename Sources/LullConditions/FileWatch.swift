private import CLullShims
private import Glibc
import LullLoop
import LullModel

/// inotify: which sensors' files changed.
///
/// For folders in which services keep their state, for trees that stand for another host, and for terminals
/// on which somebody types again. sysfs and procfs themselves announce nothing this way.
final class FileWatch {
    let descriptor: Int32
    private var sensors: [Int32: Set<Conditions.Sensor>] = [:]
    private static let changes = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ONLYDIR)
    private static let oneTouch = UInt32(IN_ACCESS) | UInt32(IN_ONESHOT)

    init?() {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Whether a change in `folder` will be heard.
    @discardableResult
    func watch(folder: String, for sensor: Conditions.Sensor) -> Bool {
        let number = inotify_add_watch(descriptor, folder, Self.changes)
        guard number >= 0 else { return false }
        sensors[number, default: []].insert(sensor)
        return true
    }

    /// The first read of a terminal, once: that somebody types is news only after a silence.
    func watchOnce(terminal: String) {
        let number = inotify_add_watch(descriptor, terminal, Self.oneTouch)
        if number >= 0 { sensors[number] = [.presence] }
    }

    /// Takes what waits.
    func drain() -> Set<Conditions.Sensor> {
        var changed: Set<Conditions.Sensor> = []
        for event in FileEvent.read(from: descriptor) {
            if event.kinds & UInt32(IN_Q_OVERFLOW) != 0 {
                for all in sensors.values { changed.formUnion(all) }
            } else if event.kinds & UInt32(IN_IGNORED) != 0 {
                sensors[event.watch] = nil
            } else {
                changed.formUnion(sensors[event.watch] ?? [])
            }
        }
        return changed
    }
}
