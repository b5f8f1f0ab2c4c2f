import Foundation
import Glibc
import LullLoop
import LullModel

/// Tells when the manifest's files have become others and have come to rest.
///
/// Editors write in several steps, and some put a new file in the old one's place: `Settling` waits for the last, and what is
/// told of is the files after it. A step that leaves them as they were is none: their content decides. The folders are
/// watched, and behind a link also the folder that it leads to.
final class ManifestWatch {
    private let descriptor: Int32
    private let loop: EventLoop
    private var timer: LoopTimer?
    private var settling = Settling()
    private var folders: [String: Int32] = [:]
    /// What was last read.
    private var seen: [String: FileLook] = [:]
    /// What to look at, which may be other files after each change.
    private let files: () -> [String]
    private let changed: () -> Void

    private static let kinds = UInt32(
        IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_MOVE_SELF
            | IN_DELETE_SELF)

    /// Nil where the system has no watch left; then only SIGHUP is heard.
    init?(loop: EventLoop, files: @escaping () -> [String], changed: @escaping () -> Void) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        self.loop = loop
        self.files = files
        self.changed = changed
        guard descriptor >= 0 else { return nil }
        do {
            timer = try LoopTimer(on: loop) { [unowned self] in rest() }
            try loop.watch(descriptor, .readable) { [unowned self] _ in stir() }
        } catch {
            return nil
        }
        note()
    }

    deinit {
        guard descriptor >= 0 else { return }
        loop.forget(descriptor)
        close(descriptor)
    }

    /// The files are known as they are now.
    func note() {
        let paths = files()
        seen = FileLook.look(at: paths)
        follow(paths)
    }

    private func stir() {
        // What it says does not matter: the files are looked at.
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        timer?.arm(settling.step(at: Clock.monotonic))
    }

    private func rest() {
        settling.rested()
        let paths = files()
        let now = FileLook.look(at: paths)
        // A folder on the way may be another one now.
        follow(paths)
        guard now != seen else { return }
        seen = now
        changed()
    }

    private func follow(_ paths: [String]) {
        var wanted: Set<String> = []
        for path in paths {
            for file in [path, realpath(of: path)].compactMap(\.self) {
                wanted.insert(URL(fileURLWithPath: file).deletingLastPathComponent().path)
            }
        }
        for (folder, watch) in folders where !wanted.contains(folder) {
            inotify_rm_watch(descriptor, watch)
            folders[folder] = nil
        }
        // Adding what is watched gives the same number; of a folder that was replaced, a new one.
        for folder in wanted {
            let watch = inotify_add_watch(descriptor, folder, Self.kinds)
            folders[folder] = watch >= 0 ? watch : nil
        }
    }

    private func realpath(of path: String) -> String? {
        guard let real = Glibc.realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
