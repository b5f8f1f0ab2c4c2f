import Testing

@testable import LullWeb

/// A family that a monitor would refuse is Lull's own bug, and traps.
struct OpenMetricsTrapTests {
    @Test func `a name without its unit traps`() async {
        await #expect(processExitsWith: .failure) {
            var metrics = OpenMetrics()
            metrics.family("lull_run", .gauge, unit: "seconds", "How long it took.")
        }
    }

    @Test func `a histogram without the count beyond its last bound traps`() async {
        await #expect(processExitsWith: .failure) {
            var metrics = OpenMetrics()
            metrics.family("lull_run_seconds", .histogram, unit: "seconds", "How long it took.")
            metrics.histogram([], bounds: [1, 10], counts: [3, 4], sum: 9)
        }
    }
}
