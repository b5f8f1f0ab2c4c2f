private import Glibc

/// The kernel's event for short memory: tasks waited for it 150 ms within 2 s.
///
/// Two seconds is the shortest window that the kernel permits to everybody. While memory stays short the event comes
/// once a window; its end has no event.
final class PressureTrigger {
    let descriptor: Int32

    /// Nil where the kernel has no PSI or does not permit it.
    init?(procfs: String) {
        let descriptor = open(procfs + "/pressure/memory", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let trigger = "some 150000 2000000"
        guard write(descriptor, trigger, trigger.utf8.count + 1) > 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
