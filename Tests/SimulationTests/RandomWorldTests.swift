import LullModel
import LullScheduler
import LullSimulator
import Testing

/// The scheduler breaks no invariant in any world; a fault names the world's seed.
@Suite struct RandomWorldTests {
    @Test(arguments: (0..<8).map { UInt64($0) * 1000 })
    func `no world makes the scheduler break its word`(first: UInt64) {
        for seed in first..<first + 3 {
            let trace = RandomWorld.make(seed: seed).run(until: at(RandomWorld.days))
            #expect(trace.faults.prefix(3) == [], "seed \(seed)")
        }
    }

    @Test(arguments: (0..<4).map { UInt64($0) * 1000 })
    func `nor does a world whose host is absent at night`(first: UInt64) {
        for seed in first..<first + 3 {
            let trace = RandomWorld.makeNights(seed: seed).run(until: at(RandomWorld.days))
            #expect(trace.faults.prefix(3) == [], "seed \(seed)")
        }
    }

    @Test(arguments: [UInt64(1116), 4113])
    func `no world in which a refresh waited for room or for another's gap does either`(seed: UInt64) {
        #expect(RandomWorld.make(seed: seed).run(until: at(RandomWorld.days)).faults.prefix(3) == [])
    }

    @Test func `equal worlds have equal traces`() {
        for seed in UInt64(50)..<53 {
            let world = RandomWorld.make(seed: seed)
            #expect(world.run(until: at(5)) == world.run(until: at(5)), "seed \(seed)")
        }
    }

    @Test func `random worlds are worth the name`() {
        var names: Set<HistoryEvent.Name> = []
        var outcomes: Set<Outcome> = []
        for seed in UInt64(0)..<5 {
            let trace = RandomWorld.make(seed: seed).run(until: at(RandomWorld.days))
            names.formUnion(trace.events.map(\.event))
            outcomes.formUnion(trace.events.compactMap(\.outcome))
        }
        #expect(
            names.isSuperset(of: [
                .submitted, .launched, .completed, .failed, .replaced, .deferred, .interrupted, .idled,
            ]))
        #expect(outcomes.isSuperset(of: [.succeeded, .failed, .crashed, .killed, .interrupted]))
    }
}
