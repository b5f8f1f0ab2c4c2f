public import LullModel

/// The two clocks of a simulated host, and the true time that neither of them need show.
///
/// The wall clock may be set; the monotonic one stands still while the host is suspended, and goes back only when
/// the machine is booted anew.
public struct VirtualClock: Sendable, Equatable {
    /// The time of a clock that nobody ever set.
    public private(set) var trueTime: WallTime
    public private(set) var monotonic: MonotonicTime
    /// How far the wall clock is ahead of true time, in milliseconds.
    public private(set) var ahead: Int64 = 0
    /// How often the wall clock was set: it may be set back to where it was.
    public private(set) var timesSet = 0
    /// Since the boot.
    public private(set) var asleep: Duration = .zero
    /// How often the machine has been booted since the start.
    public private(set) var boots = 0
    /// For how long the machine was awake, over all boots.
    public private(set) var awake: Duration = .zero

    init(start: WallTime) {
        trueTime = start
        // A host that has been up for a while: zero is not special.
        monotonic = MonotonicTime(nanoseconds: 1_000_000_000_000)
    }

    public var wall: WallTime { WallTime(milliseconds: trueTime.milliseconds + ahead) }

    mutating func advance(to time: WallTime) {
        guard time > trueTime else { return }
        monotonic.nanoseconds += (time.milliseconds - trueTime.milliseconds) * 1_000_000
        awake += time - trueTime
        trueTime = time
    }

    mutating func suspend(for span: Duration) {
        trueTime.milliseconds += max(0, span.milliseconds)
        asleep += .milliseconds(max(0, span.milliseconds))
    }

    /// The machine is off for so long, and has then been booted.
    mutating func powerOff(for span: Duration) {
        trueTime.milliseconds += max(0, span.milliseconds)
        monotonic = MonotonicTime(nanoseconds: 0)
        asleep = .zero
        boots += 1
    }

    mutating func step(by span: Duration) {
        ahead += span.milliseconds
        timesSet += 1
    }

    /// The true time at which the wall clock shows `time`, unless it is set before; not before now.
    func trueTime(ofWall time: WallTime) -> WallTime {
        max(trueTime, WallTime(milliseconds: time.clampedForReckoning.milliseconds - ahead))
    }

    /// The true time at which the monotonic clock shows `time`, unless the host is suspended before; not before now.
    func trueTime(ofMonotonic time: MonotonicTime) -> WallTime {
        let left = max(0, time.nanoseconds - monotonic.nanoseconds)
        return WallTime(milliseconds: trueTime.milliseconds + (left + 999_999) / 1_000_000)
    }
}

extension WallTime {
    /// Far enough from the ends of `Int64` to be moved by a clock's step.
    fileprivate var clampedForReckoning: WallTime { max(.distantPast, min(self, .distantFuture)) }
}
