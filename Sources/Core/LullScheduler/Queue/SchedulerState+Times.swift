import LullCalendar
import LullModel

/// Tasks with `at`: the request for the next of their times, and what becomes of those that were missed.
///
/// Such a task always has a request that waits for its next time, or for a time that is due. The times that come while
/// it waits are computed from the calendar when it ends, so that a task that is held back for weeks does not fill the
/// history.
extension SchedulerState {
    /// A clock that was set back by less than this repeats no fixed time; one that was set back further is believed.
    static let longestStepBack: Duration = .hours(3)

    func timetable(of definition: TaskDefinition) -> Timetable? {
        guard definition.at != nil else { return nil }
        let zones = now.zones.seen(by: definition.app)
        let record = ledger.tasks[definition.identifier]
        var table = Timetable(
            definition, zones: zones, host: identity(for: definition), cancelled: record?.cancelled ?? [])
        let time = now.wall - (table?.shift ?? .zero)
        let ahead = record?.timesFrom.flatMap { $0 > time ? $0 : nil }
        if let last = [ahead, record?.fixedFrom].compactMap(\.self).max(), last - time <= Self.longestStepBack
        {
            table?.fixedFrom = last
        }
        return table
    }

    /// Makes sure that the request of a task with `at` is for its next time; a due request is left alone.
    ///
    /// `isNew`: its times begin now, whatever an older manifest had.
    mutating func ensureTimes(_ task: TaskDefinition, isNew: Bool = false) {
        guard let times = task.at, let table = timetable(of: task), task.enabled else { return }
        // A request with parameters is not for the boot, which is asked for after its launch.
        if wasBooted(since: task), ledger.tasks[task.identifier]?.pending?.params == nil {
            return launchAfterBoot(task, table)
        }
        guard let pending = ledger.tasks[task.identifier]?.pending else {
            askForNextTime(task, table, from: isNew ? now.wall - table.shift : owedFrom(task, table))
            return
        }
        if let due = pending.occurrence?.time.map(table.due), due <= now.wall { return }
        if pending.origin == .at, !pending.awaitsBoot, pending.occurrence?.time == nil, times.isAtBoot {
            return
        }
        let next = table.next(after: from(task, table))
        let boot = times.isAtBoot ? options.boot : nil
        let occurrence = Occurrence(time: next, boot: boot)
        // Without a time the request would be launched at once.
        if occurrence == nil, pending.origin == .at {
            endPending(of: task.identifier, .replaced, "none of its times is still to come")
            return
        }
        guard
            pending.occurrence != occurrence
                || pending.origin == .at && pending.earliestBegin != next.map(table.due)
        else { return }
        endPending(of: task.identifier, .replaced, "its next time has changed")
        if pending.origin == .at {
            makeRequest(task, origin: .at, earliestBegin: next.map(table.due), occurrence: occurrence)
        } else {
            askAgain(task, pending, occurrence)
        }
    }

    /// Makes a request of another origin anew, with the next time of `at`.
    private mutating func askAgain(
        _ task: TaskDefinition, _ request: TaskRequest, _ occurrence: Occurrence?,
        reason: String = "its next time has changed"
    ) {
        let id = makeRequest(
            task, kind: request.kind, origin: request.origin, earliestBegin: request.earliestBegin,
            requires: request.requires, label: request.label, reason: "requested again: \(reason)",
            occurrence: occurrence, params: request.params, by: request.by)
        takePlace(of: request, by: id)
    }

    /// Drops the time from the request of a task without `at`: if `at` comes back, earlier times do not count as
    /// missed.
    mutating func forgetTime(of request: TaskRequest, _ task: TaskDefinition) {
        let reason = "\(manifest.path) has no `at` for it any more"
        if ledger.tasks[request.task]?.following?.id == request.id {
            endFollowing(of: request.task, .replaced, reason)
        } else {
            endPending(of: request.task, .replaced, reason)
        }
        askAgain(task, request, Occurrence(repeat: request.occurrence?.repeat), reason: reason)
    }

    /// The time of `at` at which a request of another origin is launched, at the latest.
    func nextOccurrence(of task: TaskDefinition) -> Occurrence? {
        guard let times = task.at, let table = timetable(of: task) else { return nil }
        // Owed times belong to the request that waits already.
        let isBehind = ledger.tasks[task.identifier]?.pending != nil
        return Occurrence(
            time: table.next(after: isBehind ? from(task, table) : owedFrom(task, table)),
            boot: times.isAtBoot ? options.boot : nil)
    }

    mutating func askForNextTime(_ task: TaskDefinition, _ table: Timetable, from start: WallTime) {
        var start = start
        var reason: String?
        var count = 1
        if task.missed == .all, let latest = table.makingUp(after: start, dueBy: now.wall) {
            // The request for the latest of them stands for those before it too.
            count += table.count(after: start, through: latest)
            reason =
                "stands for \(Phrase.times(count)), because at most \(Limits.missedTimes) are made up for one by one"
            start = latest
        }
        let next = table.next(after: start)
        let boot = task.at?.isAtBoot == true ? options.boot : nil
        guard let occurrence = Occurrence(time: next, times: count, boot: boot) else { return }
        makeRequest(
            task, origin: .at, earliestBegin: next.map(table.due), reason: reason, occurrence: occurrence)
    }

    /// The start of the times that are still to come.
    ///
    /// A clock that was set back by less than a minute repeats no time of any kind.
    private func from(_ task: TaskDefinition, _ table: Timetable) -> WallTime {
        let start = now.wall - table.shift
        guard let last = ledger.tasks[task.identifier]?.timesFrom, last > start, last - start < .minutes(1)
        else {
            return start
        }
        return last
    }

    /// As `from`, where no request waits: times lost between the end of one request and the next are owed.
    private func owedFrom(_ task: TaskDefinition, _ table: Timetable) -> WallTime {
        let start = from(task, table)
        return min(start, ledger.tasks[task.identifier]?.timesFrom ?? start)
    }

    // MARK: Boots

    private func wasBooted(since task: TaskDefinition) -> Bool {
        guard task.at?.isAtBoot == true, !options.boot.isEmpty,
            let known = ledger.tasks[task.identifier]?.boot
        else { return false }
        return known != options.boot
    }

    private mutating func launchAfterBoot(_ task: TaskDefinition, _ table: Timetable) {
        let pending = ledger.tasks[task.identifier]?.pending
        let reason = "the host was booted"
        if pending != nil { endPending(of: task.identifier, .merged, reason) }
        let time = pending?.occurrence?.time.flatMap { table.due($0) <= now.wall ? $0 : nil }
        makeRequest(
            task, origin: .at, earliestBegin: now.wall, reason: reason,
            occurrence: Occurrence(time: time, boot: options.boot))
    }

    // MARK: What a launch stands for

    /// The times that a launch now stands for; nil: it comes before the next.
    func covered(by request: TaskRequest?, of task: TaskDefinition) -> Occurrence? {
        guard let request, let table = timetable(of: task), !Mutation.forgetsMissed.isOn else {
            return nil
        }
        let boot = request.origin == .at ? request.occurrence?.boot : nil
        guard let time = request.occurrence?.time ?? timeMeanwhile(request, task, table),
            table.due(time) <= now.wall
        else {
            return Occurrence(boot: request.awaitsBoot ? nil : boot)
        }
        guard task.missed != .all, let passed = table.passed(after: time, dueBy: now.wall) else {
            return Occurrence(time: time, boot: boot)
        }
        // The own time of a retry was launched before.
        let own = isTriedAgain(request) ? 0 : 1
        return Occurrence(time: passed.last, times: passed.count + own, boot: boot)
    }

    private func isTriedAgain(_ request: TaskRequest) -> Bool {
        request.origin == .at && ledger.tasks[request.task]?.tried(before: request) != nil
    }

    /// The first time of the calendar that came while a request for a boot was held back.
    private func timeMeanwhile(
        _ request: TaskRequest, _ task: TaskDefinition, _ table: Timetable
    ) -> WallTime? {
        guard request.origin == .at, request.occurrence?.boot != nil, !request.awaitsBoot else { return nil }
        return table.next(after: owedFrom(task, table))
    }

    /// The reason in the history for a launch that is late or stands for several times.
    func lateness(of request: TaskRequest?, _ covered: Occurrence?, of task: TaskDefinition) -> String? {
        guard let request, let own = request.occurrence?.time, let covered, covered.time != nil,
            let table = timetable(of: task),
            let time = isTriedAgain(request) && covered.time != own ? table.next(after: own) : own
        else { return nil }
        let late = now.wall - table.due(time)
        let moment = Phrase.time(table.due(time), seenFrom: now.wall, in: table.zone)
        if covered.times > 1 {
            return "stands for \(Phrase.times(covered.times)), the first at \(moment)"
        }
        return late > task.tolerance ? "missed at \(moment), and made up for" : nil
    }

    /// After a launch: the request for the next time.
    mutating func askAfterLaunch(_ task: TaskDefinition, _ covered: Occurrence?) {
        guard let table = timetable(of: task), !Mutation.forgetsTimes.isOn else { return }
        let start = covered?.time.flatMap { task.missed == .all ? $0 : nil } ?? from(task, table)
        if let pending = ledger.tasks[task.identifier]?.pending {
            // A request that stood behind it may carry a time that this launch stands for.
            guard pending.origin == .plugin else { return }
            guard covered?.time != nil else { return ensureTimes(task) }
            return move(task, pending, to: table.next(after: start))
        }
        askForNextTime(task, table, from: start)
    }

    /// Moves a request that stood behind another to this time of `at`, which is its latest launch.
    mutating func move(_ task: TaskDefinition, _ pending: TaskRequest, to time: WallTime?) {
        guard var occurrence = pending.occurrence else { return ensureTimes(task) }
        occurrence.time = time
        guard occurrence != pending.occurrence else { return }
        endPending(of: task.identifier, .replaced, "its next time has changed")
        askAgain(task, pending, occurrence)
    }

    /// The host was cut off in a run, or its conditions ended: its time is made up for, unless it is to be skipped.
    ///
    /// `start`: not before then, and even with `missed: skip`; nil: at once.
    mutating func timeAgain(
        _ definition: TaskDefinition, _ request: TaskRequest, reason: String, from start: WallTime? = nil
    ) {
        guard definition.at != nil, definition.enabled, definition.missed != .skip || start != nil,
            let table = timetable(of: definition)
        else { return }
        let pending = ledger.tasks[definition.identifier]?.pending
        if let pending {
            // A due or newer request covers it, but not where each time has a run of its own.
            let isOlder = request.occurrence?.time.flatMap { own in pending.occurrence?.time.map { own < $0 }
            }
            let isOwed = definition.missed == .all && isOlder == true
            guard pending.origin == .at, isOwed || !isDue(pending, table) else { return }
            endPending(of: definition.identifier, .replaced, reason)
        }
        // Where the clock was set back meanwhile, the next time may come before the run's.
        let time = [request, pending].compactMap { $0?.occurrence?.time }.min()
        makeRequest(
            definition, origin: .at, earliestBegin: start ?? now.wall, reason: reason,
            occurrence: Occurrence(
                time: time,
                boot: definition.at?.isAtBoot == true ? options.boot : nil),
            params: definition.paramsToGive(again: request.params))
    }

    private func isDue(_ request: TaskRequest, _ table: Timetable) -> Bool {
        if let time = request.occurrence?.time, table.due(time) <= now.wall { return true }
        return request.occurrence?.time == nil && !request.awaitsBoot
    }
}
