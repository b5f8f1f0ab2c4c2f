import LullModel
import LullSystem

/// How long something took, on the monotonic clock.
struct Stopwatch {
    private let start = Clock.monotonic

    var nanoseconds: Double { Double(Clock.monotonic.nanoseconds - start.nanoseconds) }

    static func time(_ work: () throws -> Void) rethrows -> Double {
        let watch = Stopwatch()
        try work()
        return watch.nanoseconds
    }
}
