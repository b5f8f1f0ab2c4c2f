import LullSystem

/// Watches the state folder with inotify: reports when it, or a file in it, may be gone or cut short.
///
/// The next commit detects what inotify misses, such as the renaming of a folder further up.
final class StateWatch {
    private let events: FileEvents

    /// Nil where the system has no watch left; then only commits find out.
    init?(_ folder: String, loop: EventLoop, changed: @escaping () -> Void) {
        do {
            // The kind of event does not matter: the files are looked at.
            events = try FileEvents(on: loop, afterwards: changed)
            _ = try events.watch(folder, for: [.deleted, .moved, .removals, .modified], isFolder: true) {
                _, _ in
            }
        } catch {
            return nil
        }
    }
}
