import Glibc
import LullLoop

/// inotify on the state folder: tells when it, or a file in it, may have gone or been cut short.
///
/// What it does not hear, such as the renaming of a folder further up, the next commit finds out.
final class StateWatch {
    private let descriptor: Int32
    private let loop: EventLoop
    private static let kinds = UInt32(
        IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY
            | IN_ONLYDIR)

    /// Nil where the system has no watch left; then only commits find out.
    init?(_ folder: String, loop: EventLoop, changed: @escaping () -> Void) {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.loop = loop
        guard inotify_add_watch(descriptor, folder, Self.kinds) >= 0 else { return nil }
        do {
            try loop.watch(descriptor, .readable) { _ in
                // What it says does not matter: the files are looked at.
                var buffer = [UInt8](repeating: 0, count: 4096)
                while read(descriptor, &buffer, buffer.count) > 0 {}
                changed()
            }
        } catch {
            return nil
        }
    }

    deinit {
        loop.forget(descriptor)
        close(descriptor)
    }
}
