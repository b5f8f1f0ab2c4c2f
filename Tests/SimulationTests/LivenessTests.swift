import LullModel
import LullScheduler
import LullSimulator
import Testing

/// The second opinion on waiting has to be able to object.
@Suite struct LivenessTests {
    @Test func `a scheduler that launches nothing is found out`() {
        var world = cleaningWorld(repeat: nil)
        var discovered = HistoryEvent(.discovered, at: at(-1), app: feed)
        discovered.registered = [cleaning]
        var submitted = HistoryEvent(.submitted, at: at(-1), app: feed, task: cleaning, request: RequestID(1))
        submitted.kind = .processing
        submitted.requires = Requirements(idle: false)
        world.history = [discovered, submitted]
        world.options.launches = false
        for hour in 1..<4 { world.at(at(0, hour), .used(feed)) }
        let trace = world.run(until: at(1))
        #expect(trace.launches.isEmpty)
        #expect(trace.faults.contains { $0.contains("left waiting") })
    }
}
