import LullModel

/// How many runs were launched in each part of a timeline's span, and how many of them failed.
public struct Throughput: Encodable, Sendable {
    /// A night has parts of at least a quarter of an hour.
    private static let parts: Int64 = 48

    /// The length of a part.
    let partMs: Int64
    let launchedCounts: [Int]
    let failedCounts: [Int]

    /// Nil: nothing was launched in the span.
    public init?(of timeline: Timeline) {
        let span = (timeline.to - timeline.from).milliseconds
        let part = max(1, (span + Self.parts - 1) / Self.parts)
        var launched = [Int](repeating: 0, count: Int((span + part - 1) / part))
        var failed = launched
        for run in timeline.lanes.lazy.flatMap(\.runs)
        where run.launched >= timeline.from && run.launched < timeline.to {
            let index = Int((run.launched - timeline.from).milliseconds / part)
            launched[index] += 1
            failed[index] += run.isFailure ? 1 : 0
        }
        guard launched.contains(where: { $0 > 0 }) else { return nil }
        (partMs, launchedCounts, failedCounts) = (part, launched, failed)
    }
}
