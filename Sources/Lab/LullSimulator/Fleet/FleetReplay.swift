public import LullModel
import LullScheduler

/// A host's past, replayed twice under one manifest: by the host alone, and by the host as the only one of a fleet.
///
/// Both use the shipping scheduler, and the fleet's database is the model that tests compare with the real one. It answers at
/// once and is never away: the differences come from the manifest's meaning in a fleet, not from the network.
public struct FleetReplay: Sendable {
    /// The decision for a time of a task.
    public struct Decision: Sendable, Equatable {
        public enum Act: String, Sendable, Codable {
            case ran
            /// It was never run, nor will be.
            case passedOver = "passed_over"
            /// It waited still when the replay ended.
            case waits
        }
        public let act: Act
        public let time: WallTime
        /// Of a run that is over.
        public internal(set) var end: Outcome?
        /// Why it was passed over, or why its run failed.
        public internal(set) var reason: String?

        /// Whether the same was done within a second, with the same end.
        fileprivate func agrees(with other: Decision) -> Bool {
            act == other.act && end == other.end
                && (act == .waits || abs((time - other.time).milliseconds) < 1000)
        }
    }

    /// A time of a task, and the decisions for it.
    public struct Slot: Sendable, Equatable {
        public let task: TaskIdentifier
        /// When it was due.
        public let nominal: WallTime
        /// Nil: it had no such time, or another run stood for it.
        public let alone: Decision?
        public let fleet: Decision?
        /// What held back the host that did not run it when the other did, in the gates' words.
        public fileprivate(set) var reason: String?

        public var isAlike: Bool {
            guard let alone, let fleet else { return false }
            return alone.agrees(with: fleet)
        }

        /// When the first of the two ran it, and the other did not.
        fileprivate var parting: (time: WallTime, lateIsInFleet: Bool)? {
            let runs = [(alone, true), (fleet, false)].compactMap { decision, isAlone in
                decision?.act == .ran ? decision.map { (time: $0.time, lateIsInFleet: isAlone) } : nil
            }
            guard let first = runs.min(by: { $0.time < $1.time }),
                runs.last.map({ $0.time > first.time }) == true
                    || runs.count == 1
            else { return nil }
            return first
        }
    }

    /// In order of their times.
    public private(set) var slots: [Slot]
    public var differences: [Slot] { slots.filter { !$0.isAlike } }

    /// How many reasons are looked up at most.
    private static let mostReasons = 200

    /// - Parameter isAnyHost: each task with times is taken as if it had `scope: any_host`.
    public init(
        _ past: World, until end: WallTime, isAnyHost: Bool = false,
        progress: (_ share: Double) -> Void = { _ in }
    ) {
        var (lone, shared) = (past, past)
        lone.manifest.fleet = nil
        shared.manifest.join(isAnyHost: isAnyHost)
        let alone = Self.played(lone, until: end) { progress($0 / 2) }
        let fleet = Self.played(shared, until: end) { progress(0.5 + $0 / 2) }
        slots = Set(alone.keys).union(fleet.keys).map { key in
            let (one, other) = (alone[key], fleet[key])
            return Slot(
                task: key.task, nominal: one?.nominal ?? other?.nominal ?? end, alone: one?.decision,
                fleet: other?.decision)
        }
        slots.sort { ($0.nominal, $0.task) < ($1.nominal, $1.task) }
        explain(lone, shared)
    }

    private static func played(
        _ world: World, until end: WallTime, progress: (_ share: Double) -> Void
    ) -> [DecisionBook.Key: DecisionBook.Entry] {
        var world = world
        world.keeps = DecisionBook.events
        var simulation = Simulation(world)
        let days = max(1, (end - world.start).milliseconds / 86_400_000)
        for day in 1...days {
            simulation.run(until: day == days ? end : world.start + .days(Int(day)))
            progress(Double(day) / Double(days))
        }
        return DecisionBook(simulation, until: end).entries
    }

    /// Replays up to each moment at which the two differ, and asks the host that did not run the task for the reason.
    private mutating func explain(_ lone: World, _ shared: World) {
        var partings: [(index: Int, time: WallTime, lateIsInFleet: Bool)] = []
        for (index, slot) in slots.enumerated() where !slot.isAlike {
            if let parting = slot.parting { partings.append((index, parting.time, parting.lateIsInFleet)) }
        }
        partings = Array(partings.sorted { $0.time < $1.time }.prefix(Self.mostReasons))
        for isInFleet in [false, true] {
            let asked = partings.filter { $0.lateIsInFleet == isInFleet }
            guard !asked.isEmpty else { continue }
            var world = isInFleet ? shared : lone
            world.keeps = []
            var simulation = Simulation(world)
            for parting in asked {
                simulation.run(until: parting.time)
                let verdict = simulation.state.verdict(for: slots[parting.index].task, at: simulation.now)
                let words = verdict.closed.map(\.reason)
                slots[parting.index].reason = words.isEmpty ? nil : words.joined(separator: "; ")
            }
        }
    }
}

extension Manifest {
    /// Makes the host a member of a fleet.
    fileprivate mutating func join(isAnyHost: Bool) {
        fleet = fleet ?? FleetDefinition(database: "")
        guard isAnyHost else { return }
        for app in apps.indices {
            for task in apps[app].tasks.indices
            // The boot of a host is its own.
            where apps[app].tasks[task].hasTimes && apps[app].tasks[task].at?.isAtBoot != true {
                apps[app].tasks[task].fleet.scope = .anyHost
            }
        }
    }
}

extension TaskDefinition {
    /// Whether the task has slots.
    public var hasTimes: Bool { at != nil || `repeat` != nil }
}
