import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Rough weeks in which apps transfer, and the mutations that such weeks find.
@Suite struct TransferWeekTests {
    private static func faults(_ world: World) -> [String] {
        var simulation = Simulation(world)
        simulation.run(days: RoughWeek.days)
        return simulation.trace.faults
    }

    @Test(arguments: [0, 10, 20, 30])
    func `each transfer ends once, is begun when it may be, and is told`(first: UInt64) {
        for seed in first..<first + 10 {
            #expect(
                Self.faults(RoughWeek.transferring(seed: seed)).prefix(3) == [],
                "lull-simulate --theme transfers --seed \(seed)")
        }
    }

    /// A gate closed in the turn in which a transfer's time was up: its end was recorded, and then an interruption.
    @Test func `a week that once broke an invariant does no more`() {
        #expect(Self.faults(RoughWeek.transferring(seed: 32674)) == [])
    }

    #if DEBUG
        @Test(arguments: [
            (Mutation.hurriesTransfers, "is begun over a network"),
            (.believesOldNews, "while it is under way"),
            (.keepsOneAnswer, "with other answers than its app has given"),
            (.asksTheMute, "waits for an answer that nobody gives"),
            (.fillsFolders, "does not fit into its app's folder"),
            (.forgetsInterruptedTransfers, "waits for nothing"),
        ])
        func `a mutation is found`(bug: Mutation, words: String) {
            let found = Mutation.$current.withValue(bug) {
                (0..<300).first { seed in
                    Self.faults(RoughWeek.transferring(seed: UInt64(seed))).contains { $0.contains(words) }
                }
            }
            #expect(found != nil, "\(bug)")
        }
    #endif
}
