import Glibc
import LullModel
import LullSystem

/// Tells when files, such as the manifest's, have become others and have come to rest.
///
/// Editors write in several steps, and some put a new file in the old one's place: `Settling` waits for the last, and what is
/// told of is the files after it. A step that leaves them as they were is none: their content decides.
final class FilesWatch {
    private var events: FileEvents?
    private var timer: LoopTimer?
    private var settling = Settling()
    private var ways: [String: PathWatch] = [:]
    /// What was last read.
    private var seen: [String: FileLook] = [:]
    /// What to look at, which may be other files after each change.
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

    /// The files are known as they are now.
    func note() {
        let paths = files()
        seen = FileLook.look(at: paths)
        follow(paths)
    }

    private func rest() {
        settling.rested()
        let paths = files()
        // A folder on the way may be another one now.
        follow(paths)
        let now = FileLook.look(at: paths)
        guard now != seen else { return }
        seen = now
        changed()
    }

    private func follow(_ paths: [String]) {
        // What is in one folder is heard there, and behind a link also where that leads.
        let wanted = Set(paths.map { Self.isLink($0) ? $0 : Self.folder(of: $0) + "/*" })
        for way in ways.keys where !wanted.contains(way) { ways[way] = nil }
        for path in wanted.sorted() {
            if let way = ways[path] {
                way.refresh()
            } else if let events {
                // What is told of a path does not matter: the files are looked at.
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
