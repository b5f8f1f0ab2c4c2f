import LullCalendar
import LullModel

/// Tells the operator who pauses something what becomes of the times that come meanwhile.
extension SchedulerState {
    /// A sentence; nil: nothing would have been launched by the clock.
    func meanwhile(_ scope: Pause.Scope, until end: WallTime?) -> String? {
        if case .task(let task) = scope { return definition(of: task).flatMap { meanwhile($0, until: end) } }
        let fates = manifest.tasks.filter { scope.contains($0.identifier, of: $0.app) }
            .compactMap { task in meets(task, until: end).map { _ in task.missed } }
        guard !fates.isEmpty else { return nil }
        let skipped = fates.count { $0 == .skip }
        let count = Phrase.count(fates.count, "task")
        let head = "\(count) \(fates.count == 1 ? "has" : "have") a time of `at` before it ends: "
        switch skipped {
        case 0: return head + "missed times are made up for then."
        case fates.count: return head + "missed times are left out (`missed: skip`)."
        default:
            return head
                + "\(skipped) \(skipped == 1 ? "leaves" : "leave") out missed times (`missed: skip`), "
                + "the others make up for them then."
        }
    }

    private func meanwhile(_ task: TaskDefinition, until end: WallTime?) -> String? {
        let pending = ledger.tasks[task.identifier]?.pending
        guard task.at != nil else {
            guard let due = pending.flatMap(\.repeatDue), due > now.wall, due < end ?? .distantFuture else {
                return nil
            }
            return "It comes due \(when(due)), and is launched once the pause has ended."
        }
        if pending?.awaitsBoot == true {
            return
                "It runs once each time the machine boots: after a boot meanwhile, once the pause has ended."
        }
        guard let table = timetable(of: task), let next = table.next(after: now.wall - table.shift) else {
            return nil
        }
        let due = table.due(next)
        guard meets(task, until: end) != nil else {
            guard let end, due < end else { return "Its next time stays: \(when(due))." }
            return "Its next time, \(when(due)), is launched when the pause ends."
        }
        // If the pause ends within the tolerance of the last time, that time is launched all the same.
        let last = end.map { $0 - table.shift - (task.missed == .skip ? task.tolerance : .zero) }
        let count = last.map { table.count(after: now.wall - table.shift, through: $0) }
        let later = last.flatMap { table.next(after: $0) }.map { time in
            let due = table.due(time)
            guard let end, due < end else { return " It runs next \(when(due))." }
            return " It runs next when the pause ends, for its time \(when(due))."
        }
        let number = count.map { $0 < Limits.countedTimes ? Phrase.times($0) : "\($0) or more times" }
        let times =
            count == 1
            ? "Its next time, \(when(due)), is"
            : number.map { "Its next \($0), the first \(when(due)), are" }
                ?? "Its next time is \(when(due)): missed times are"
        switch task.missed {
        case .skip: return times + " left out (`missed: skip`)." + (later ?? "")
        case .one:
            return times + " made up for \(count ?? 2 == 1 ? "" : "with one launch ")when the pause ends."
        case .all: return times + " made up for one by one when the pause ends (`missed: all`)."
        }
    }

    /// When the next time of `at` is due, if it passes during the pause; nil: it does not.
    private func meets(_ task: TaskDefinition, until end: WallTime?) -> WallTime? {
        guard task.enabled, let table = timetable(of: task),
            let next = table.next(after: now.wall - table.shift)
        else { return nil }
        let due = table.due(next)
        let late = task.missed == .skip ? task.tolerance : .zero
        return end.map { due + late < $0 } ?? true ? due : nil
    }
}
