import LullCalendar
import LullModel
import LullScheduler

/// Checks that no time of `at` is lost: each is launched, or ends with a reason, and none twice.
///
/// For each task it keeps the time up to which all times are accounted for. It reads durable records, and counts from the
/// calendar alone how many times lie between.
struct TimesWatch: Sendable {
    private let host: String
    /// All times up to here are accounted for.
    private var last: [TaskIdentifier: WallTime] = [:]
    /// The clock was set back by some hours: fixed times up to here have been, and do not come again.
    private var fixedFrom: [TaskIdentifier: WallTime] = [:]
    /// Times that an operator cancelled before they came: a count may leave them out.
    private var cancelled: [TaskIdentifier: Set<WallTime>] = [:]
    /// The definition of a task's times when they were counted.
    private var known: [TaskIdentifier: Key] = [:]
    private var tasks: [TaskIdentifier: TaskDefinition] = [:]
    private var now = Now(wall: .distantPast, monotonic: .init(nanoseconds: 0))
    private var timesSet = 0
    /// Tasks whose requests the frame may have changed.
    private var noted: Set<TaskIdentifier> = []
    private var manifest = Manifest()
    /// Tasks whose times change with this frame.
    private var renewed: Set<TaskIdentifier> = []
    /// The time that was requested last.
    private var asked: [TaskIdentifier: WallTime] = [:]
    /// When `at` requested it: times before then have passed.
    private var askedAt: [TaskIdentifier: WallTime] = [:]

    private struct Key: Equatable {
        var times: ExactTimes
        var timezone: String?
        var spread: Duration
        var days: OpenDays?
    }

    init(host: String) { self.host = host }

    /// The records from here on were decided in this frame.
    mutating func begin(_ frame: Frame) {
        if frame.clock.timesSet != timesSet { clockWasSet(to: frame.now.wall) }
        timesSet = frame.clock.timesSet
        now = frame.now
        noted = []
        renewed = []
        if frame.about.isStarting || frame.manifest == manifest && !frame.about.isBoot { return }
        manifest = frame.manifest
        tasks = [:]
        for task in manifest.tasks where task.at != nil { tasks[task.identifier] = task }
        renewed = Set(tasks.keys.filter { known[$0] != tasks[$0].flatMap(key) })
        for task in renewed.union(known.keys.filter { tasks[$0] == nil }) { last[task] = nil }
        known = tasks.compactMapValues(key)
        noted = Set(tasks.keys)
    }

    /// Some times may come again now, and others never come.
    private mutating func clockWasSet(to wall: WallTime) {
        for (name, task) in tasks {
            let been = [last[name].map { min($0, now.wall) }, askedAt[name], fixedFrom[name]]
            guard let latest = been.compactMap(\.self).max() else { continue }
            let back = due(latest, task) - wall
            fixedFrom[name] = back > .zero && back <= .hours(3) ? latest : nil
        }
        (last, askedAt) = ([:], [:])
    }

    private func key(_ task: TaskDefinition) -> Key? {
        task.at.map { Key(times: $0, timezone: task.timezone, spread: task.spread, days: task.days) }
    }

    /// `request`: the one that the event ends.
    mutating func note(_ event: HistoryEvent, ending request: TaskRequest?) -> String? {
        guard let name = event.task, let task = tasks[name] else { return nil }
        noted.insert(name)
        switch event.event {
        case .submitted: return submitted(event, task)
        case .launched: return launched(event, request, task)
        case .givenUp:
            guard let occurrence = event.occurrence, let time = occurrence.time else {
                last[name] = nil
                return nil
            }
            guard task.missed == .skip else { return "\(name) gives a time up that is to be made up for" }
            guard let due = request?.earliestBegin ?? request?.occurrence?.time.map({ due($0, task) }),
                due + task.tolerance < now.wall
            else {
                return "\(name) gives a time up that is not late"
            }
            return account(for: occurrence, time, of: task)
        case .cancelled:
            guard let time = event.occurrence?.time else { break }
            // Of the times ahead this one is cancelled, and none before it.
            let passed = min(time, now.wall)
            if let before = last[name] {
                last[name] = max(before, passed)
            } else if time == passed {
                last[name] = time
            }
            cancelled[name, default: []].insert(time)
        default: break
        }
        return nil
    }

    private mutating func submitted(_ event: HistoryEvent, _ task: TaskDefinition) -> String? {
        guard let time = event.occurrence?.time else { return nil }
        if event.origin == .at { askedAt[task.identifier] = min(time - .milliseconds(1), event.time) }
        let before = asked.updateValue(time, forKey: task.identifier)
        // A new request for the same time takes the place of the old one.
        if before == time { return nil }
        if renewed.contains(task.identifier), event.origin == .at { last[task.identifier] = nil }
        guard let before = last[task.identifier] else {
            // A request with a reason may be for a time that has passed.
            if event.origin == .at, event.reason == nil { last[task.identifier] = time - .milliseconds(1) }
            return nil
        }
        let count = count(after: before, through: time, of: task)
        // A run that did not get to its end is requested again.
        if count == 0, event.reason != nil { return nil }
        guard isRight(event.occurrence?.times ?? 1, of: count, task, before, time) else {
            return
                "\(task.identifier) is asked for with \(count) times to account for, of which it knows \(event.occurrence?.times ?? 0)"
        }
        // Those that it merges are accounted for where it is asked for.
        if count > 1 { last[task.identifier] = time - .milliseconds(1) }
        return nil
    }

    private mutating func launched(
        _ event: HistoryEvent, _ request: TaskRequest?, _ task: TaskDefinition
    ) -> String? {
        // A request of a boot stands for the times that came while it waited.
        let isOfBoot = request?.origin == .at && request?.occurrence?.time == nil && task.at?.isAtBoot == true
        if isOfBoot, let occurrence = event.occurrence, let time = occurrence.time {
            guard due(time, task) <= now.wall else {
                return "\(task.identifier) is launched for a time that has not come"
            }
            return account(for: occurrence, time, of: task)
        }
        guard let first = request?.occurrence?.time, due(first, task) <= now.wall else {
            return event.occurrence?.time == nil
                ? nil : "\(task.identifier) is launched before its time, as if for it"
        }
        guard let occurrence = event.occurrence, let time = occurrence.time else {
            return "\(task.identifier) is launched after its time, and does not say so"
        }
        if task.missed == .all, occurrence.times != 1 || time != first {
            return "one launch of \(task.identifier) stands for \(occurrence.times) times"
        }
        if task.missed != .all, let next = next(of: task, after: time),
            due(next, task) <= now.wall
        {
            return "\(task.identifier) is launched, and a later time is left"
        }
        let again = last[task.identifier].map { first <= $0 } ?? true
        if again {
            // With `missed: all`, the times from a run that was cut off on come again, in order.
            last[task.identifier] = task.missed == .all ? time : max(time, last[task.identifier] ?? time)
            return nil
        }
        return account(for: occurrence, time, of: task, through: first)
    }

    /// The first is counted where it was asked for: with `through`, those after it are what the event adds.
    private mutating func account(
        for occurrence: Occurrence, _ time: WallTime, of task: TaskDefinition, through first: WallTime? = nil
    ) -> String? {
        defer { last[task.identifier] = time }
        guard let before = first ?? last[task.identifier] else { return nil }
        let count = count(after: before, through: time, of: task) + (first == nil ? 0 : 1)
        guard isRight(occurrence.times, of: count, task, before, time) else {
            return "\(task.identifier) accounts for \(occurrence.times) times, of \(count)"
        }
        return nil
    }

    private func isRight(
        _ times: Int, of count: Int, _ task: TaskDefinition, _ start: WallTime, _ end: WallTime
    ) -> Bool {
        let passed = (cancelled[task.identifier] ?? []).count { $0 > start && $0 <= end }
        let limit = Limits.countedTimes
        return (min(count - passed, limit)...min(count, limit)).contains(min(times, limit))
    }

    /// After the records of a frame: checks that the next time of each task is requested.
    func check(_ pending: some Collection<TaskRequest>) -> [String] {
        var faults: [String] = []
        for name in noted.sorted() {
            guard let task = tasks[name], task.enabled else { continue }
            guard let last = last[name], let next = next(of: task, after: last) else { continue }
            guard let request = pending.first(where: { $0.task == name }) else {
                faults.append("\(name) has times, and nobody asks for the next")
                continue
            }
            // After a boot it is launched before its next time is asked for again.
            let isAfterBoot = request.occurrence?.time == nil && task.at?.isAtBoot == true
            let isFirst =
                request.occurrence.map { $0.times > 1 || $0.time.map { $0 <= next } ?? false } ?? false
            if !isAfterBoot, !isFirst {
                faults.append("\(name) waits for a time after its next, \(next.milliseconds) ms")
            }
        }
        return faults
    }

    private func next(of task: TaskDefinition, after start: WallTime) -> WallTime? {
        let fixedFrom = fixedFrom[task.identifier]
        var next = task.at?.next(after: start, in: zone(of: task), fixedFrom: fixedFrom)
        while let time = next, !isOpen(task, time) || cancelled[task.identifier]?.contains(time) == true {
            // No time comes after the last day.
            if let last = task.days?.until, zone(of: task).local(time).days > last { return nil }
            next = task.at?.next(after: time, in: zone(of: task), fixedFrom: fixedFrom)
        }
        return next
    }

    func isExact(_ request: TaskRequest?, of task: TaskDefinition) -> Bool {
        guard task.at != nil, let request else { return false }
        return request.origin == .at || (request.occurrence?.time).map { due($0, task) <= now.wall } ?? false
    }

    func due(_ time: WallTime, _ task: TaskDefinition) -> WallTime {
        time + Spread.shift(of: task.identifier, on: host, within: task.spread)
    }
    private func zone(of task: TaskDefinition) -> Zone { now.zones.seen(by: task.app)[task.timezone] }
    private func isOpen(_ task: TaskDefinition, _ time: WallTime) -> Bool {
        task.days?.permit(zone(of: task).local(time)) ?? true
    }
    private func count(after start: WallTime, through end: WallTime, of task: TaskDefinition) -> Int {
        if task.days != nil {
            var (count, time) = (0, start)
            while count < Limits.countedTimes, let next = next(of: task, after: time), next <= end {
                (count, time) = (count + 1, next)
            }
            return count
        }
        return task.at?.count(
            after: start, through: end, in: zone(of: task), limit: Limits.countedTimes,
            fixedFrom: fixedFrom[task.identifier]) ?? 0
    }
}
