private import Glibc

/// Reports when something was mounted or unmounted: the kernel signals it on `/proc/self/mountinfo`.
final class MountTable {
    private let loop: EventLoop
    private let descriptor: Int32
    var handlers: [Int: () -> Void] = [:]

    /// Nil where there is no procfs.
    init?(loop: EventLoop, changed: @escaping () -> Void) {
        self.loop = loop
        descriptor = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, (try? loop.watch(descriptor, .priority, handler: { _ in changed() })) != nil
        else { return nil }
    }

    deinit {
        loop.forget(descriptor)
        if descriptor >= 0 { close(descriptor) }
    }
}
