import LullModel

/// What the host keeps of a task with a request, beside the ledger.
struct TaskState: Sendable {
    var isTouched = false
    var watching: SensorSet = []
    var sampling: SensorSet = []
    /// Its place in the queue of its app; nil: it may not be launched now.
    var ready: Ready?
    /// Time alone does not open its gates before this moment; nil: no closed gate has said when it opens.
    var mayOpenAt: WallTime?
    /// The event and launch count of its last review.
    var judgement = Judged()
    /// What it waits for, as decided in its last review.
    var plan: Plan?

    /// Marks the task for review; returns whether it was not marked yet.
    mutating func touch() -> Bool {
        defer { isTouched = true }
        return !isTouched
    }

    /// Begins a review; returns the plan that it has been waiting for.
    mutating func beginReview() -> Plan? {
        isTouched = false
        return plan
    }

    /// The values before a review, whose effects elsewhere may have to be undone.
    struct Before {
        let watching: SensorSet
        let sampling: SensorSet
        let ready: Ready?
    }

    /// Stores the result of a review of the gates.
    ///
    /// In place: copying this state out and back costs as much as some of the gates.
    mutating func take(
        _ evaluation: Evaluation, _ ready: Ready?, _ judgement: Judged
    ) -> Before {
        let before = Before(watching: watching, sampling: sampling, ready: self.ready)
        watching = evaluation.watched
        sampling = evaluation.sampled
        mayOpenAt = evaluation.mayOpenAt
        plan = evaluation.plan
        self.ready = ready
        self.judgement = judgement
        return before
    }
}

/// How long a review of the gates is valid: within the same event, until the next launch.
struct Judged: Sendable, Equatable {
    var turn: UInt64 = 0
    /// The next run: each launch draws from the budget, holds a place and is a refresh of its app.
    var run: UInt64 = 0
}

/// A task that may be launched as soon as there is room. The greatest is launched first.
struct Ready: Sendable, Hashable, Comparable {
    let task: TaskIdentifier
    let app: AppIdentifier
    let request: RequestID
    let isStarved: Bool
    let priority: Int
    let score: Double

    static func < (a: Self, b: Self) -> Bool {
        if a.isStarved != b.isStarved { return b.isStarved }
        if a.priority != b.priority { return a.priority < b.priority }
        if a.score != b.score { return a.score < b.score }
        return a.request > b.request
    }
}

/// An entry of the heap of monotonic times; stale when its subject has moved on.
struct Alarm: Sendable, Comparable {
    enum Subject: Sendable, Hashable {
        case run(RunID)
        case worker(WorkerID)
        /// Leases are renewed, or end.
        case fleet
    }
    let time: MonotonicTime
    let subject: Subject

    /// Of alarms at the same time the oldest comes first: a heap keeps no order of its own.
    static func < (a: Self, b: Self) -> Bool { a.time == b.time ? a.age < b.age : a.time < b.time }
    private var age: UInt64 {
        switch subject {
        case .run(let run): run.number
        case .worker(let worker): worker.number
        case .fleet: .max
        }
    }
    static func == (a: Self, b: Self) -> Bool { a.time == b.time && a.subject == b.subject }
}

/// Which tasks a sensor concerns, and how many need it sampled.
struct Watchers: Sendable {
    private var tasks: [SensorSet: Set<TaskIdentifier>] = [:]
    private var samplers: [SensorSet: Int] = [:]

    mutating func change(_ task: TaskIdentifier, from old: SensorSet, to new: SensorSet) {
        guard old != new else { return }
        for (sensor, _) in SensorSet.named {
            if new.contains(sensor) && !old.contains(sensor) { tasks[sensor, default: []].insert(task) }
            if old.contains(sensor) && !new.contains(sensor) { tasks[sensor]?.remove(task) }
        }
    }

    mutating func changeSampling(from old: SensorSet, to new: SensorSet) {
        guard old != new else { return }
        for (sensor, _) in SensorSet.named {
            if new.contains(sensor) && !old.contains(sensor) { samplers[sensor, default: 0] += 1 }
            if old.contains(sensor) && !new.contains(sensor) { samplers[sensor, default: 0] -= 1 }
        }
    }

    /// In a fixed order, so that the same events have the same effects.
    func tasks(watching sensors: SensorSet) -> [TaskIdentifier] {
        var all: Set<TaskIdentifier> = []
        for (sensor, _) in SensorSet.named where sensors.contains(sensor) {
            all.formUnion(tasks[sensor] ?? [])
        }
        return all.sorted()
    }

    var sampled: SensorSet {
        var sampled: SensorSet = []
        for (sensor, count) in samplers where count > 0 { sampled.insert(sensor) }
        return sampled
    }
}
