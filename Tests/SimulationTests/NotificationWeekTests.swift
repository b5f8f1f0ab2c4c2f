import LullModel
import LullScheduler
import LullSimulator
import Testing

/// Rough weeks in which apps post notifications, and the mutations that such weeks find.
@Suite struct NotificationWeekTests {
    private static func faults(_ world: World) -> [String] {
        var simulation = Simulation(world)
        simulation.run(days: RoughWeek.days)
        return simulation.trace.faults
    }

    @Test(arguments: [0, 10, 20, 30])
    func `no notification vanishes, comes early or comes twice`(first: UInt64) {
        for seed in first..<first + 10 {
            #expect(
                Self.faults(RoughWeek.notifying(seed: seed)).prefix(3) == [],
                "lull-simulate --notifications --seed \(seed)")
        }
    }

    @Test func `notifications are drawn apart: the week itself stays as it is`() {
        for seed: UInt64 in 0..<5 {
            let plain = RoughWeek.world(seed: seed)
            let notifying = RoughWeek.notifying(seed: seed)
            #expect(notifying.timeline.prefix(plain.timeline.count).map(\.time) == plain.timeline.map(\.time))
            #expect(notifying.history == plain.history && notifying.timeline.count >= plain.timeline.count)
        }
    }

    #if DEBUG
        @Test(arguments: [
            (Mutation.deliversEarly, "before its time"),
            (.forgetsNotifications, "nobody delivers it"),
            (.deliversTwice, "is delivered and does not wait"),
        ])
        func `a mutation is found`(bug: Mutation, words: String) {
            let found = Mutation.$current.withValue(bug) {
                (0..<20).first { seed in
                    Self.faults(RoughWeek.notifying(seed: UInt64(seed))).contains { $0.contains(words) }
                }
            }
            #expect(found != nil, "\(bug)")
        }
    #endif
}
