private import CLullShims
private import Glibc

/// A coarse timer for what Linux gives no event for; armed only while somebody waits for such a thing.
final class SampleTimer {
    let descriptor: Int32

    init?() {
        let descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(LULL_TIMERFD_FLAGS.rawValue))
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Rings after `first`, and then at every `interval` if there is one; nil silences it.
    func set(first: Duration?, interval: Duration?) {
        var spec = itimerspec()
        if let first {
            spec.it_value = Self.timespec(max(first, .milliseconds(1)))
            spec.it_interval = Self.timespec(interval ?? .zero)
        }
        timerfd_settime(descriptor, 0, &spec, nil)
    }

    func drain() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, 8)
    }

    private static func timespec(_ duration: Duration) -> Glibc.timespec {
        let (seconds, attoseconds) = duration.components
        return Glibc.timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
    }
}
