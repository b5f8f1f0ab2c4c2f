import CLullShims
import LullModel
import Testing

@testable import LullWorkers

/// The supervisor's work for an app counts as the app's, and is limited to a share of the processor.
struct BrokerTests {
    @Test func `what the supervisor does for an app counts as the app's`() throws {
        let bench = try WorkerBench()
        try bench.pool.measureOften = .seconds(6000)
        let app = try bench.start("LongWay")
        _ = try bench.waitForReady()
        let supervisor = try #require(try bench.pool.supervisors(of: app).first)
        let before = Consumption(ofSupervisor: supervisor).time
        try bench.launch(1, "now", of: app)
        let own = Duration.microseconds(try bench.waitForNumber(of: "microseconds"))
        let used = Consumption(ofSupervisor: supervisor).time - before
        // Idle, it is more than five times; a busy machine makes its own thread slower.
        #expect(used > own * 2, "the calls cost \(used), of which its own thread had \(own)")
    }

    private static let second: Int64 = 1_000_000_000

    @Test func `the broker rests for as long as it has worked beyond a second`() {
        var pace = lull_broker_pace(at: 0, used: 0, debt: -Int64(LULL_BROKER_BURST))
        func pause(_ now: Int64, _ used: Int64) -> Int64 { lull_broker_pause(&pace, now, used) }
        // It uses a whole core: after two seconds it has used up the second that it may take at once.
        #expect(pause(Self.second, Self.second) == 0)
        #expect(pause(2 * Self.second, 2 * Self.second) == 0)
        #expect(pause(3 * Self.second, 3 * Self.second) == Self.second)
        #expect(pause(4 * Self.second, 3 * Self.second) == 0)
        // A call of four milliseconds takes eight with its pause.
        let call: Int64 = 4_000_000
        var (now, used) = (4 * Self.second, 3 * Self.second)
        for _ in 0..<1000 {
            (now, used) = (now + call, used + call)
            now += pause(now, used)
        }
        #expect(used - 3 * Self.second == 1000 * call)
        #expect(now - 4 * Self.second == 1000 * 2 * call)
        // However long it rests, it may take at most a second at once.
        #expect(pause(now + 1000 * Self.second, used) == 0)
        #expect(pause(now + 1002 * Self.second, used + 3 * Self.second) == 2 * Self.second)
    }
}
