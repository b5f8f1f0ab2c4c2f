import Foundation
import Glibc
import LullModel
import LullSystem

/// Tells when the manifest's files have become others and have come to rest.
///
/// Editors write in several steps, and some put a new file in the old one's place: `Settling` waits for the last, and what is
/// told of is the files after it. A step that leaves them as they were is none: their content decides. The folders are
/// watched, and behind a link also the folder that it leads to.
final class ManifestWatch {
    private var events: FileEvents?
    private var timer: LoopTimer?
    private var settling = Settling()
    private var folders: [String: FileEvents.Token] = [:]
    /// What was last read.
    private var seen: [String: FileLook] = [:]
    /// What to look at, which may be other files after each change.
    private let files: () -> [String]
    private let changed: () -> Void

    /// Nil where the system has no watch left; then only SIGHUP is heard.
    init?(loop: EventLoop, files: @escaping () -> [String], changed: @escaping () -> Void) {
        self.files = files
        self.changed = changed
        do {
            timer = try LoopTimer(on: loop) { [unowned self] in rest() }
            // What it says does not matter: the files are looked at.
            events = try FileEvents(on: loop) { [unowned self] in
                timer?.arm(settling.step(at: Clock.monotonic))
            }
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
            events?.forget(watch)
            folders[folder] = nil
        }
        // One that was replaced is another folder by the same name.
        for folder in wanted {
            let old = folders[folder]
            folders[folder] = try? events?.watch(folder, for: [.written, .entries, .moved, .deleted]) {
                _, _ in
            }
            events?.forget(old)
        }
    }

    private func realpath(of path: String) -> String? {
        guard let real = Glibc.realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
