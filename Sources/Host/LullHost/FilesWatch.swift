import Glibc
import LullModel
import LullSystem

/// Reports when files, such as the manifest's, have changed and come to rest.
///
/// Editors write in several steps, and some replace the file: `Settling` waits for the last step, then the files are
/// compared. Steps that leave the content as it was are not reported.
final class FilesWatch {
    private var events: FileEvents?
    private var timer: LoopTimer?
    private var settling = Settling()
    private var ways: [String: PathWatch] = [:]
    /// The files as they were last seen.
    private var seen: [String: FileLook] = [:]
    /// The files to watch, which may differ after each change.
    private let files: () -> [String]
    private let changed: () -> Void

    /// Nil where the system has no descriptor left.
    init?(loop: EventLoop, files: @escaping () -> [String], changed: @escaping () -> Void) {
        self.files = files
        self.changed = changed
        do {
            timer = try LoopTimer(on: loop) { [unowned self] in rest() }
            events = try FileEvents(on: loop)
        } catch {
            return nil
        }
        note()
    }

    /// Takes the files as they are now for known.
    func note() {
        let paths = files()
        seen = FileLook.look(at: paths)
        follow(paths)
    }

    private func rest() {
        settling.rested()
        let paths = files()
        // A folder on the path may have been replaced.
        follow(paths)
        let now = FileLook.look(at: paths)
        guard now != seen else { return }
        seen = now
        changed()
    }

    private func follow(_ paths: [String]) {
        // Files of one folder share its watch; a link is watched together with its target.
        let wanted = Set(paths.map { Self.isLink($0) ? $0 : Self.folder(of: $0) + "/*" })
        for way in ways.keys where !wanted.contains(way) { ways[way] = nil }
        for path in wanted.sorted() {
            if let way = ways[path] {
                way.refresh()
            } else if let events {
                // The kind of event does not matter: the files are looked at.
                ways[path] = PathWatch(path, hearsNeighbours: true, events: events) { [unowned self] in
                    timer?.arm(settling.step(at: Clock.monotonic))
                }
            }
        }
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
