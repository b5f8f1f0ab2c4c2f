public import LullModel

/// The counts of the history, which go on from the last event that was counted.
///
/// They start with the history and not with a host, so a restart of the host resets no count.
public struct MetricsFold: Sendable {
    struct RunKey: Hashable, Comparable {
        let app: AppIdentifier
        let task: TaskIdentifier
        let detail: String

        static func < (a: Self, b: Self) -> Bool { (a.task, a.detail) < (b.task, b.detail) }
    }

    struct TransferKey: Hashable, Comparable {
        let app: AppIdentifier
        let detail: String

        static func < (a: Self, b: Self) -> Bool { (a.app, a.detail) < (b.app, b.detail) }
    }

    struct Durations: Sendable {
        let app: AppIdentifier
        private(set) var counts = [UInt64](repeating: 0, count: MetricsFold.bounds.count + 1)
        private(set) var sum = 0.0

        init(app: AppIdentifier) { self.app = app }

        mutating func add(_ seconds: Double) {
            counts[MetricsFold.bounds.firstIndex { seconds <= $0 } ?? MetricsFold.bounds.count] += 1
            sum += seconds
        }
    }

    private struct Closed: Sendable {
        var app: AppIdentifier
        var gates: [String]
        var since: WallTime
    }

    /// Upper bounds in seconds; a longer run counts into the last bucket.
    static let bounds: [Double] = [0.1, 0.5, 1, 5, 15, 30, 60, 300, 600, 1800, 3600, 14_400]

    /// The name under which each task is counted.
    public let names: MetricsNames
    /// By outcome.
    private(set) var runs: [RunKey: UInt64] = [:]
    /// By kind.
    private(set) var launches: [RunKey: UInt64] = [:]
    private(set) var durations: [TaskIdentifier: Durations] = [:]
    /// From a time of `at` to its launch.
    private(set) var delays: [TaskIdentifier: Durations] = [:]
    /// By gate, of stretches that have ended.
    private var waited: [RunKey: Double] = [:]
    private var closed: [TaskIdentifier: Closed] = [:]
    /// What runs cost, of those for which it is known: seconds on the processors, and bytes by `read` and `written`.
    private(set) var processor: [TaskIdentifier: (app: AppIdentifier, seconds: Double)] = [:]
    private(set) var storage: [RunKey: Double] = [:]
    private(set) var uses: [AppIdentifier: UInt64] = [:]
    private(set) var violations: [AppIdentifier: UInt64] = [:]
    private(set) var events: [HistoryEvent.Name: UInt64] = [:]
    /// From the last launch of a refresh: the price that it was worth, and the launches a day that were allowed.
    private(set) var price: Double?
    private(set) var budget: Double?
    private(set) var absent = 0.0
    /// Transfers that ended, by their outcome.
    private(set) var transfers: [TransferKey: UInt64] = [:]
    /// Bytes of those that finished, `received` or `sent`.
    private(set) var transferred: [TransferKey: Double] = [:]
    private(set) var lastSuccess: [TaskIdentifier: WallTime] = [:]
    /// The first event of each task.
    private(set) var knownSince: [TaskIdentifier: WallTime] = [:]

    public init(names: MetricsNames = MetricsNames()) {
        self.names = names
    }

    /// Counts one more event; they come in the order of the history.
    public mutating func apply(_ event: HistoryEvent) {
        events[event.event, default: 0] += 1
        if let task = event.task.map(names.name), knownSince[task] == nil { knownSince[task] = event.time }
        switch event.event {
        case .used: uses[event.app, default: 0] += 1
        case .violation: violations[event.app, default: 0] += 1
        // Time that a clock skips or repeats is no absence.
        case .absent where event.absence == .ahead || event.absence == .back: break
        case .absent: absent += Double(max(0, event.milliseconds ?? 0)) / 1000
        case .deferred: deferred(event)
        case .cancelled, .givenUp: open(event)
        case .launched: launched(event)
        case .completed, .failed, .interrupted: ended(event)
        case .transfer: if let note = event.transfer { transferred(note, of: event.app) }
        default: break
        }
    }

    /// Seconds for which each gate has kept each task waiting, up to now.
    func waiting(at now: WallTime) -> [RunKey: Double] {
        var copy = self
        for task in closed.keys { copy.settle(task, at: now) }
        return copy.waited
    }

    private mutating func deferred(_ event: HistoryEvent) {
        guard let task = event.task else { return }
        settle(task, at: event.time)
        let gates = event.gates ?? []
        closed[task] = Closed(
            app: event.app, gates: gates.isEmpty ? [GateName.moment.rawValue] : gates, since: event.time)
    }

    private mutating func open(_ event: HistoryEvent) {
        guard let task = event.task else { return }
        settle(task, at: event.time)
        closed[task] = nil
    }

    private mutating func launched(_ event: HistoryEvent) {
        open(event)
        guard let task = event.task else { return }
        let kind = event.kind?.rawValue ?? "unknown"
        launches[RunKey(app: event.app, task: names.name(of: task), detail: kind), default: 0] += 1
        // The time of a later attempt was met by the first.
        if let time = event.occurrence?.time, event.attempt?.number ?? 1 == 1 {
            delays[names.name(of: task), default: Durations(app: event.app)].add(
                max(0, (event.time - time).inSeconds))
        }
        if let price = event.price { self.price = price }
        if event.kind == .refresh, let budget = event.budget { self.budget = budget }
    }

    private mutating func transferred(_ note: TransferNote, of app: AppIdentifier) {
        func count(_ outcome: String) { transfers[TransferKey(app: app, detail: outcome), default: 0] += 1 }
        switch note {
        case .finished(_, let result):
            count("finished")
            for (detail, bytes) in [("received", result.received), ("sent", result.sent)] where bytes > 0 {
                transferred[TransferKey(app: app, detail: detail), default: 0] += Double(bytes)
            }
        case .failed: count("failed")
        case .cancelled: count("cancelled")
        case .asked, .interrupted, .challenged, .answered, .paused, .resumed, .taking, .taken, .givenUp: break
        }
    }

    private mutating func ended(_ event: HistoryEvent) {
        // Without a run the event says that the plugin can't be loaded.
        guard let task = event.task.map(names.name), event.run != nil else { return }
        let outcome = event.outcome ?? (event.event == .interrupted ? .interrupted : .failed)
        runs[RunKey(app: event.app, task: task, detail: outcome.rawValue), default: 0] += 1
        if outcome.isSuccess { lastSuccess[task] = event.time }
        if let cost = event.cost { count(cost, of: task, event.app) }
        guard let milliseconds = event.milliseconds, milliseconds >= 0 else { return }
        durations[task, default: Durations(app: event.app)].add(Double(milliseconds) / 1000)
    }

    private mutating func count(_ cost: RunCost, of task: TaskIdentifier, _ app: AppIdentifier) {
        if let time = cost.processor { processor[task, default: (app, 0)].seconds += Double(time) / 1000 }
        for (detail, bytes) in [("read", cost.read), ("written", cost.written)] {
            guard let bytes else { continue }
            storage[RunKey(app: app, task: task, detail: detail), default: 0] += Double(bytes)
        }
    }

    /// Counts the stretch up to this time; the clock may have been set back meanwhile.
    private mutating func settle(_ task: TaskIdentifier, at time: WallTime) {
        guard let stretch = closed[task] else { return }
        let seconds = max(0, (time - stretch.since).inSeconds)
        closed[task]?.since = max(time, stretch.since)
        let name = names.name(of: task)
        for gate in stretch.gates {
            waited[RunKey(app: stretch.app, task: name, detail: gate), default: 0] += seconds
        }
    }
}
