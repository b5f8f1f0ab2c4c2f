import ArgumentParser
import Dispatch
import LullSimulator
import Synchronization

/// Days of fleets, one fleet a seed.
struct FleetDays {
    let seeds: Range<UInt64>
    let seed: UInt64?
    let lines: Int

    func run() throws {
        if let seed { return try replay(seed) }
        let totals = Mutex((launches: 0, slots: 0, broken: [(seed: UInt64, faults: [String])]()))
        DispatchQueue.concurrentPerform(iterations: seeds.count) { index in
            let seed = seeds.lowerBound + UInt64(index)
            var simulation = FleetSimulation(seed: seed)
            simulation.run()
            let (faults, launches, slots) = (simulation.faults, simulation.launches, simulation.slots)
            totals.withLock {
                $0.launches += launches
                $0.slots += slots
                if !faults.isEmpty { $0.broken.append((seed, faults)) }
            }
        }
        let (launches, slots, broken) = totals.withLock { $0 }
        for result in broken.sorted(by: { $0.seed < $1.seed }).prefix(10) {
            print(result.faults.prefix(3).joined(separator: "\n"))
        }
        print(
            "\(seeds.count) fleets, \(slots) slots, \(launches) launches; \(broken.count) with broken invariants."
        )
        if !broken.isEmpty { throw ExitCode.failure }
    }

    private func replay(_ seed: UInt64) throws {
        var simulation = FleetSimulation(seed: seed, keepsLines: true)
        simulation.run()
        for line in lines == 0 ? simulation.lines[...] : simulation.lines.suffix(lines) { print(line) }
        for fault in simulation.faults { print(fault) }
        if !simulation.faults.isEmpty { throw ExitCode.failure }
        print("Seed \(seed) breaks no invariant.")
    }
}
