import LullModel
import LullScheduler

/// The decision of a simulated host for each time of its tasks.
///
/// A time of `at` identifies itself. The times of `repeat` depend on earlier runs, so they are counted.
struct DecisionBook {
    struct Key: Hashable {
        let task: TaskIdentifier
        /// The time of `at`; nil: of a task with `repeat`.
        let time: WallTime?
        /// How many entries of the same task and time came before it.
        let place: Int
    }
    struct Entry {
        let nominal: WallTime
        var decision: FleetReplay.Decision
    }

    /// The events that it is made from.
    static let events: Set<HistoryEvent.Name> = [
        .submitted, .launched, .givenUp, .slot, .completed, .failed, .interrupted,
    ]

    private(set) var entries: [Key: Entry] = [:]
    private var counts: [TaskIdentifier: [WallTime?: Int]] = [:]
    /// When a request of the clock is due; nil: somebody else made the request.
    private var due: [RequestID: WallTime?] = [:]
    private var runs: [RunID: Key] = [:]
    private let definitions: [TaskIdentifier: TaskDefinition]

    init(_ simulation: Simulation, until end: WallTime) {
        definitions = Dictionary(
            simulation.world.manifest.tasks.filter(\.hasTimes).map { ($0.identifier, $0) }
        ) { first, _ in first }
        for event in simulation.trace.events { take(event) }
        for request in simulation.state.pending(of: nil) {
            let nominal = request.occurrence?.time ?? request.earliestBegin ?? request.submitted
            guard request.origin == .at || request.origin == .repeat, nominal <= end else { continue }
            add(request.task, nominal, .init(act: .waits, time: nominal))
        }
    }

    private mutating func take(_ event: HistoryEvent) {
        switch event.event {
        case .submitted:
            guard let request = event.request else { return }
            let isOfClock = event.origin == .at || event.origin == .repeat
            due.updateValue(isOfClock ? event.earliestBegin ?? event.time : nil, forKey: request)
        case .launched:
            guard event.origin != .operator, let nominal = nominal(of: event), let task = event.task,
                let key = add(task, nominal, .init(act: .ran, time: event.time)), let run = event.run
            else { return }
            runs[run] = key
        case .givenUp, .slot:
            // If the slot had a run, the run's end counts.
            guard event.event == .givenUp || event.slot?.act == .elsewhere, let task = event.task,
                let nominal = nominal(of: event)
            else { return }
            add(task, nominal, .init(act: .passedOver, time: event.time, reason: event.reason))
        case .completed, .failed, .interrupted:
            guard let key = event.run.flatMap({ runs.removeValue(forKey: $0) }), let end = event.ending else {
                return
            }
            entries[key]?.decision.end = end
            if !end.isSuccess { entries[key]?.decision.reason = event.reason }
        default: break
        }
    }

    /// Nil if the event is about a request that the clock did not make.
    private func nominal(of event: HistoryEvent) -> WallTime? {
        if let time = event.occurrence?.time { return time }
        guard let request = event.request else { return nil }
        // A request from before the replay counts as the clock's.
        return due[request] ?? event.time
    }

    @discardableResult
    private mutating func add(
        _ task: TaskIdentifier, _ nominal: WallTime, _ decision: FleetReplay.Decision
    ) -> Key? {
        guard let definition = definitions[task] else { return nil }
        let time = definition.at == nil ? nil : nominal
        let place = counts[task, default: [:]][time, default: 0]
        counts[task, default: [:]][time] = place + 1
        let key = Key(task: task, time: time, place: place)
        entries[key] = Entry(nominal: nominal, decision: decision)
        return key
    }
}
