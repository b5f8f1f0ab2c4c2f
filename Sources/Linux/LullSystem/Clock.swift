private import CLullShims
private import Glibc
public import LullModel

/// The machine's clocks, read at the shell's edge only.
public enum Clock {
    public static var wall: WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    public static var monotonic: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Whether the machine says that its wall clock is right.
    public static var isSynchronised: Bool { lull_clock_is_synchronised() != 0 }

    /// For how long the machine has slept since its boot: what the clock since the boot counts and the monotonic one
    /// does not.
    public static var asleep: Duration {
        let awake = monotonic
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        let boot = MonotonicTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        // Between the two readings a moment passes; a machine that sleeps does so for longer.
        return boot - awake < .milliseconds(500) ? .zero : boot - awake
    }
}
