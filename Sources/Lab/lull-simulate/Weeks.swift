import Dispatch
import LullModel
import LullSimulator
import Synchronization

/// Many weeks, on all processors; the results do not depend on how many there are.
struct Weeks {
    struct Result: Sendable {
        var seed: UInt64
        var faults: [String]
        var digest: UInt64
        var events: Int
    }

    private let seeds: Range<UInt64>
    private let theme: RoughWeek.Theme

    init(_ seeds: Range<UInt64>, of theme: RoughWeek.Theme) {
        self.seeds = seeds
        self.theme = theme
    }

    func run() -> [Result] {
        let found = Mutex<[Result]>([])
        DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
            let seed = seeds.lowerBound + UInt64(index)
            var simulation = Simulation(RoughWeek.world(seed: seed, of: theme))
            simulation.run(days: RoughWeek.days)
            let trace = simulation.trace
            let result = Result(
                seed: seed, faults: trace.faults, digest: trace.digest, events: trace.events.count)
            found.withLock { $0.append(result) }
        }
        return found.withLock { $0 }.sorted { $0.seed < $1.seed }
    }
}
