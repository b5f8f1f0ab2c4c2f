private import CLullShims
private import Glibc
public import LullModel

/// An alarm of its own on the monotonic clock, for a part of the shell that must not disturb the loop's one
/// alarm.
public final class LoopTimer {
    private let descriptor: Int32
    private let loop: EventLoop
    private let handler: () -> Void
    private var time: MonotonicTime?
    /// The armed time is not set in the kernel yet.
    private var isUnsettled = false

    /// Calls `handler` each time an armed instant has come; disarmed at first, and after each ring.
    public init(on loop: EventLoop, handler: @escaping () -> Void) throws(LoopError) {
        self.loop = loop
        self.handler = handler
        descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(LULL_TIMERFD_FLAGS.rawValue))
        guard descriptor >= 0 else { throw LoopError(operation: "make a timer", code: errno) }
        try loop.watch(descriptor, .readable) { [unowned self] _ in ring() }
    }

    private func ring() {
        var count: UInt64 = 0
        // If it was armed anew in the round in which it rang, the new time counts.
        guard read(descriptor, &count, 8) == 8, !isUnsettled else { return }
        handler()
    }

    deinit {
        guard descriptor >= 0 else { return }
        loop.forget(descriptor)
        close(descriptor)
    }

    /// Rings once at `time`, soon if that has passed; replaces what was armed. Nil disarms.
    public func arm(_ time: MonotonicTime?) {
        self.time = time
        if !isUnsettled { loop.settleLater { [weak self] in self?.settle() } }
        isUnsettled = true
    }

    private func settle() {
        isUnsettled = false
        var spec = itimerspec()
        if let time {
            let nanoseconds = max(time.nanoseconds, 1)
            spec.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            spec.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        }
        timerfd_settime(descriptor, Int32(LULL_TIMER_ABSTIME.rawValue), &spec, nil)
    }
}
