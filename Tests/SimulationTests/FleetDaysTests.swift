import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Fleets whose hosts crash, sleep, are cut off and disagree about the time, and the mutations that they find.
@Suite struct FleetDaysTests {
    private static func faults(_ seed: UInt64) -> [String] {
        var simulation = FleetSimulation(seed: seed)
        simulation.run()
        #expect(simulation.launches > 0 && simulation.slots > 0)
        return simulation.faults
    }

    @Test(arguments: [0, 2])
    func `no slot is lost, none is run by two, and each ends once`(first: UInt64) {
        for seed in first..<first + 2 {
            #expect(Self.faults(seed).prefix(3) == [], "lull-simulate --fleet --seed \(seed)")
        }
    }

    /// Such a host was once left down for the rest of its days.
    @Test func `a host that takes long to end is started again`() { #expect(Self.faults(33) == []) }

    #if DEBUG
        @Test(arguments: [
            (Mutation.passesOver(.fleet), "without a slot"),
            (.keepsLostLeases, "runs at once"),
            (.forgetsResults, "has not told"),
            (.offersNothing, "nobody offered"),
        ])
        func `a mutation is found`(bug: Mutation, words: String) {
            let found = Mutation.$current.withValue(bug) {
                (0..<24).first { seed in Self.faults(UInt64(seed)).contains { $0.contains(words) } }
            }
            #expect(found != nil, "\(bug)")
        }
    #endif
}
