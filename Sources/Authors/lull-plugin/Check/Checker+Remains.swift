import LullModel
import LullSystem

/// The remains of runs in their worker: compared after some runs, and again after some more.
extension Checker {
    private struct Remains {
        var threads: [String] = []
        var descriptors: [String] = []
        var processes: [String] = []
        var files: [String] = []
        var weight: [String] = []
        var unrest: [String] = []
        var locks: [String] = []
    }

    private static let checks: Set<PluginCheck> = [
        .leavesNoThread, .leavesNoDescriptor, .leavesNoProcess, .leavesNoFile, .isLight, .rests,
        .canBeSuspended,
    ]

    func checkRemains(_ tasks: [TaskDefinition]) {
        guard !wanted.isDisjoint(with: Self.checks) else { return }
        var remains = Remains()
        for task in tasks { look(at: task, &remains) }
        conclude(.leavesNoThread, remains.threads)
        conclude(.leavesNoDescriptor, remains.descriptors)
        conclude(.leavesNoProcess, remains.processes)
        conclude(.leavesNoFile, remains.files)
        conclude(.isLight, remains.weight, as: .warning)
        conclude(.rests, remains.unrest)
        conclude(.canBeSuspended, remains.locks, as: .warning)
    }

    private func look(at task: TaskDefinition, _ remains: inout Remains) {
        let trial = trial()
        defer { end(trial) }
        guard trial.waitForStart().fault == nil, let pid = trial.pid else {
            return leaveOut(Self.checks, task, "it did not start again")
        }
        // The first runs fill pools and caches, which is no leak.
        guard runSeveral(task, 3, in: trial), let before = settled(pid, trial, than: nil),
            runSeveral(task, Self.repeatedRuns, in: trial), let after = settled(pid, trial, than: before)
        else {
            return leaveOut(
                Self.checks, task,
                trial.ending.map { "after some runs its worker \($0)" } ?? "one of some runs did not end")
        }
        let name = task.identifier.text
        let count = Self.repeatedRuns
        if after.threads - before.threads >= count {
            remains.threads.append(
                "\(name): \(count) runs left \(after.threads - before.threads) threads. End the threads of a run with it."
            )
        }
        if after.descriptors.count - before.descriptors.count >= count {
            let more = Self.surplus(after.descriptors, over: before.descriptors)
            remains.descriptors.append(
                "\(name): \(count) runs left \(after.descriptors.count - before.descriptors.count) open descriptors, such as "
                    + "of \(more.first ?? "?"). Close what a run opens, however the run ends.")
        }
        if let process = after.companions.first {
            remains.processes.append(
                "\(name): a run left the process \(process). Stop what a run starts, and wait for its end, before you "
                    + "complete the run.")
        }
        let files = WorkerLook.names(in: temporary).sorted()
        if let file = files.first {
            remains.files.append(
                "\(name): runs left \(Phrase.count(files.count, "file")) in the folder for temporary files, such "
                    + "as '\(file)'. Remove them before you complete the run, or keep them in the state folder."
            )
        }
        remains.weight += Self.weight(of: name, before, after)
        if let share = unrest(pid, trial, after) {
            remains.unrest.append(
                "\(name): between runs it takes \(share) % of a processor. Do not poll or spin when a run is over."
            )
        }
        if let reason = trial.suspend() {
            let remedy =
                reason.contains("activit")
                ? "End each activity, however it ends, and in its expiration handler."
                : "Release locks before you complete the run."
            remains.locks.append("\(name): between runs its worker can't be suspended: \(reason). \(remedy)")
        }
    }

    /// Faults where a run takes so much that others on its host may suffer. A tick is 10 ms; a run is expired after a second.
    private static func weight(of name: String, _ before: WorkerLook, _ after: WorkerLook) -> [String] {
        var sentences: [String] = []
        let milliseconds = (after.ticks - before.ticks) * 10 / UInt64(repeatedRuns)
        if milliseconds >= 500 {
            sentences.append(
                "\(name): a run takes \(milliseconds) ms of processor time in its first second. Do less at a time, or let jobs.yaml "
                    + "limit the app: `limits: { cpu: 50% }`.")
        }
        let mebibytes = after.peak / 1024
        if mebibytes >= 256 {
            sentences.append(
                "\(name): its worker has taken \(mebibytes) MiB of memory. Work on one piece after another, and free what a run "
                    + "used; an app may take half of the machine's unless jobs.yaml has `limits: { memory }`."
            )
        }
        return sentences
    }

    /// Runs the task so many times; returns whether all runs ended.
    private func runSeveral(_ task: TaskDefinition, _ count: Int, in trial: Trial) -> Bool {
        let limit = min(normal[task.identifier].map { $0.duration * 3 } ?? .seconds(1), .seconds(1))
        for _ in 0..<count {
            let run = trial.launch(task)
            if case .completed = trial.waitForEnd(of: run, max(limit, .milliseconds(300))) { continue }
            trial.expire(run)
            guard case .completed = trial.waitForEnd(of: run, task.grace) else { return false }
        }
        return true
    }

    /// The worker's state, after the work of a run has had time to end.
    private func settled(_ pid: Int32, _ trial: Trial, than before: WorkerLook?) -> WorkerLook? {
        for _ in 0..<10 {
            trial.wait(.milliseconds(50)) { trial.ending != nil }
            guard let look = WorkerLook(pid), trial.ending == nil else { return nil }
            guard let before else {
                if look.companions.isEmpty { return look }
                continue
            }
            if look.threads <= before.threads, look.descriptors.count <= before.descriptors.count,
                look.companions.isEmpty
            {
                return look
            }
        }
        return WorkerLook(pid)
    }

    /// The worker's processor use in percent; nil: it rests. Measured twice, because something may be winding down.
    private func unrest(_ pid: Int32, _ trial: Trial, _ look: WorkerLook) -> Int? {
        var share = 0
        for window in [Duration.milliseconds(200), .milliseconds(500)] {
            guard let before = WorkerLook(pid) else { return nil }
            trial.wait(window) { trial.ending != nil }
            guard let after = WorkerLook(pid) else { return nil }
            // A tick is 10 ms.
            share = Int(Int64(after.ticks - before.ticks) * 1000 / window.milliseconds)
            if share < 15 { return nil }
        }
        return share
    }

    private static func surplus(_ more: [String], over less: [String]) -> [String] {
        var rest = more
        for one in less {
            if let index = rest.firstIndex(of: one) { rest.remove(at: index) }
        }
        return rest
    }
}
