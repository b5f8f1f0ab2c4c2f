import LullSystem

/// inotify on the state folder: tells when it, or a file in it, may have gone or been cut short.
///
/// What it does not hear, such as the renaming of a folder further up, the next commit finds out.
final class StateWatch {
    private let events: FileEvents

    /// Nil where the system has no watch left; then only commits find out.
    init?(_ folder: String, loop: EventLoop, changed: @escaping () -> Void) {
        do {
            // What it says does not matter: the files are looked at.
            events = try FileEvents(on: loop, afterwards: changed)
            _ = try events.watch(folder, for: [.deleted, .moved, .removals, .modified], isFolder: true) {
                _, _ in
            }
        } catch {
            return nil
        }
    }
}
