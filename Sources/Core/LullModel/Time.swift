/// An instant on the wall clock: whole milliseconds since 1970-01-01 00:00 UTC.
///
/// Milliseconds, because the history writes them: an instant read back is the same instant.
public struct WallTime: Sendable, Hashable, Comparable, Codable {
    public var milliseconds: Int64
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }
    public init(seconds: Int64) { milliseconds = seconds * 1000 }
    /// Clamps a time from a client or a damaged file to `distantPast...distantFuture`, so that later arithmetic can't overflow.
    public init(recorded milliseconds: Int64) {
        self = min(max(WallTime(milliseconds: milliseconds), .distantPast), .distantFuture)
    }
    public init(from decoder: any Decoder) throws { self.init(recorded: try Int64(from: decoder)) }
    public func encode(to encoder: any Encoder) throws { try milliseconds.encode(to: encoder) }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 {
        milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0)
    }

    public static let distantPast = WallTime(milliseconds: .min / 4)
    public static let distantFuture = WallTime(milliseconds: .max / 4)

    public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }
    public static func + (a: Self, b: Duration) -> Self {
        .init(milliseconds: a.milliseconds + b.milliseconds)
    }
    public static func - (a: Self, b: Duration) -> Self {
        .init(milliseconds: a.milliseconds - b.milliseconds)
    }
    public static func - (a: Self, b: Self) -> Duration {
        .init(milliseconds: a.milliseconds - b.milliseconds)
    }
}

/// An instant on `CLOCK_MONOTONIC`, in nanoseconds: for time limits, which must not run while the machine sleeps.
public struct MonotonicTime: Sendable, Hashable, Comparable {
    public var nanoseconds: Int64
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
    public static func + (a: Self, b: Duration) -> Self { .init(nanoseconds: a.nanoseconds + b.nanoseconds) }
    public static func - (a: Self, b: Duration) -> Self { .init(nanoseconds: a.nanoseconds - b.nanoseconds) }
    public static func - (a: Self, b: Self) -> Duration { .nanoseconds(a.nanoseconds - b.nanoseconds) }
}

extension Duration {
    private static let attosecondsPerMillisecond: Int128 = 1_000_000_000_000_000

    /// Whole milliseconds, rounded towards zero; in one division, because the scheduler calls it millions of times.
    public var milliseconds: Int64 { Int64(clamping: attoseconds / Self.attosecondsPerMillisecond) }

    init(milliseconds: Int64) {
        self.init(attoseconds: Int128(milliseconds) * Self.attosecondsPerMillisecond)
    }

    /// Whole nanoseconds, rounded towards zero; beyond `Int64` (292 years), half of its largest or smallest value.
    public var nanoseconds: Int64 {
        let (product, overflow) = components.seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow
            ? (components.seconds < 0 ? .min / 2 : .max / 2)
            : product &+ components.attoseconds / 1_000_000_000
    }
    public var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
    public static func minutes(_ count: Int) -> Duration { .seconds(60 * count) }
    public static func hours(_ count: Int) -> Duration { .seconds(3600 * count) }
    public static func days(_ count: Int) -> Duration { .seconds(86400 * count) }
}

/// Both clocks at one moment, and the zones that turn instants into times of day; handed in by the shell.
public struct Now: Sendable, Equatable {
    public var wall: WallTime
    public var monotonic: MonotonicTime
    public var zones: Zones
    /// How long the machine has slept since its boot; the monotonic clock stands still meanwhile.
    public var asleep: Duration

    public init(
        wall: WallTime, monotonic: MonotonicTime, zones: Zones = .utc, asleep: Duration = .zero
    ) {
        self.wall = wall
        self.monotonic = monotonic
        self.zones = zones
        self.asleep = asleep
    }

    /// When the machine was booted, by the present wall clock.
    public var booted: WallTime { wall - .nanoseconds(monotonic.nanoseconds) - asleep }
}
