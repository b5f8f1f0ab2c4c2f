import LullModel
import LullSystem

/// The checks that need runs, for each task.
extension Checker {
    func checkTasks() {
        let tasks = app.tasks.filter(\.enabled)
        guard !tasks.isEmpty else { return }
        checkLaunches(tasks)
        // A task that does not run through once would only show the same fault again.
        let sound = tasks.filter { normal[$0.identifier] != nil }
        for task in tasks where normal[task.identifier] == nil {
            leaveOut(Self.afterLaunches, task, "its first run did not end")
        }
        if !sound.isEmpty {
            checkOlderHost(sound)
            checkExpiration(sound)
            checkRemains(sound)
            checkKill(sound)
        }
        conclude(.leavesSocketAlone, socketFaults)
    }

    /// The checks that need a run that ended.
    private static let afterLaunches = Set(PluginCheck.allCases).subtracting(PluginCheck.beforeRuns)
        .subtracting([.launchReturns, .completes, .completesOnce, .leavesSocketAlone])

    /// Runs each task once, undisturbed.
    private func checkLaunches(_ tasks: [TaskDefinition]) {
        var returns: [String] = []
        var ends: [String] = []
        var repeats: [String] = []
        var slow: [(TaskDefinition, Duration)] = []
        for task in tasks {
            let trial = trial()
            defer { end(trial) }
            guard trial.waitForStart().fault == nil else {
                ends.append(
                    "\(task.identifier): it did not start again. `start` must succeed every time."
                )
                leaveOut([.launchReturns, .completesOnce], task, "it did not start again")
                continue
            }
            let began = Clock.monotonic
            let run = trial.launch(task)
            guard let time = trial.waitForReturn(of: run, .seconds(5)) else {
                returns.append(
                    "\(task.identifier): "
                        + (trial.ending.map {
                            "in `launch` its worker \($0). Complete the run, and do not end the process."
                        }
                            ?? "`launch` has not returned after 5 s. Begin the work on another thread, and return.")
                )
                leaveOut([.completes, .completesOnce], task, returns[returns.count - 1])
                continue
            }
            if time > .milliseconds(100) { slow.append((task, time)) }
            guard let success = finishRun(run, of: task, in: trial, &ends) else {
                leaveOut([.completesOnce], task, "its run did not end")
                continue
            }
            normal[task.identifier] = Normal(
                duration: min(Clock.monotonic - began, Self.timeout), success: success)
            // A second completion comes at once, if one comes.
            trial.wait(.milliseconds(150)) { !trial.violations.isEmpty }
            repeats += trial.violations.filter { !$0.isFatal }.map { "\(task.identifier): \($0.sentence)" }
        }
        for (task, time) in slow {
            let best = launchTime(of: task, first: time)
            guard best > .milliseconds(100) else { continue }
            returns.append(
                "\(task.identifier): `launch` took \(best.milliseconds) ms. Begin the work on another thread, and return."
            )
        }
        conclude(.launchReturns, returns)
        conclude(.completes, ends)
        conclude(.completesOnce, repeats)
    }

    /// Measured again, for the machine may have been busy.
    private func launchTime(of task: TaskDefinition, first: Duration) -> Duration {
        var best = first
        for _ in 0..<2 where best > .milliseconds(100) {
            let trial = trial()
            defer { end(trial) }
            guard trial.waitForStart().fault == nil else { continue }
            let run = trial.launch(task)
            if let again = trial.waitForReturn(of: run, .seconds(5)) { best = min(best, again) }
        }
        return best
    }

    /// A crash says itself what is wrong; a process that ends by itself is the author's wish.
    private static func remedy(for ending: String) -> String {
        ending.contains("signal ") ? "" : " Complete the run, and do not end the process."
    }

    /// Whether the run succeeded; nil: it did not end, and `faults` says so.
    private func finishRun(
        _ run: UInt64, of task: TaskDefinition, in trial: Trial, _ faults: inout [String]
    ) -> Bool? {
        switch trial.waitForEnd(of: run, min(task.timeLimit ?? Self.timeout, Self.timeout)) {
        case .completed(let success): return success
        case .ended(let sentence):
            faults.append(
                "\(task.identifier): its worker \(sentence.withoutFullStop)." + Self.remedy(for: sentence))
            return nil
        case .late: break
        }
        trial.expire(run)
        switch trial.waitForEnd(of: run, task.grace) {
        case .completed(let success): return success
        case .ended(let sentence):
            faults.append(
                "\(task.identifier): when the run expired, its worker \(sentence.withoutFullStop)."
                    + Self.remedy(for: sentence))
        case .late:
            faults.append(
                "\(task.identifier): the run did not end by itself within \(Self.timeout.milliseconds / 1000) s, nor within "
                    + "its grace of \(task.grace.milliseconds / 1000) s when it had expired. Call set_task_completed on "
                    + "every way out, and in the expiration handler.")
        }
        return nil
    }

    /// Gives the plugin a table that ends where that of 1.0 ended, with nothing usable behind it.
    private func checkOlderHost(_ tasks: [TaskDefinition]) {
        guard wanted.contains(.survivesOlderHost) else { return }
        var faults: [String] = []
        let trial = trial(minor: 0)
        defer { end(trial) }
        let remedy = "Ask LULL_HAS before you use what is newer than 1.0."
        if let fault = trial.waitForStart().fault {
            return conclude(.survivesOlderHost, ["With a host of 1.0 it does not start: \(fault) \(remedy)"])
        }
        for task in tasks {
            let run = trial.launch(task)
            _ = trial.waitForReturn(of: run, .seconds(5))
            if case .late = trial.waitForEnd(of: run, undisturbed(task)) {
                trial.expire(run)
                _ = trial.waitForEnd(of: run, task.grace)
            }
            guard trial.ending == nil else {
                faults.append(
                    "\(task.identifier): with a host of 1.0 its worker \(trial.ending ?? ""). \(remedy)")
                break
            }
        }
        conclude(.survivesOlderHost, faults)
    }

    /// Long enough for a run of a quick task; a slow one is expired then.
    private func undisturbed(_ task: TaskDefinition) -> Duration {
        min((normal[task.identifier]?.duration ?? .zero) * 2 + .milliseconds(200), .seconds(2))
    }

    /// Kills a worker in a run; the next one starts with what that left.
    private func checkKill(_ tasks: [TaskDefinition]) {
        guard wanted.contains(.runsAfterKill) else { return }
        var faults: [String] = []
        for task in tasks {
            guard let normal = normal[task.identifier] else { continue }
            for _ in 0..<3 where !faults.contains(where: { $0.hasPrefix("\(task.identifier):") }) {
                let victim = trial()
                let state = lastState
                guard victim.waitForStart().fault == nil else {
                    leaveOut([.runsAfterKill], task, "it did not start again")
                    end(victim)
                    break
                }
                let run = victim.launch(task)
                let moment = randomDuration(upTo: min(normal.duration, .seconds(1)))
                _ = victim.waitForReturn(of: run, .seconds(5))
                victim.wait(moment) { victim.ending != nil }
                end(victim)
                if let fault = runAgain(task, state: state, normal) {
                    faults.append("\(task.identifier): \(fault)")
                }
            }
        }
        conclude(.runsAfterKill, faults)
    }

    private func runAgain(_ task: TaskDefinition, state: String, _ normal: Normal) -> String? {
        let heir = trial(keeping: state)
        defer { end(heir) }
        let remedy =
            "Keep nothing in the state folder that stops the next run, or let that run create it again."
        if let fault = heir.waitForStart().fault { return "after a kill it does not start: \(fault)" }
        let run = heir.launch(task)
        switch heir.waitForEnd(
            of: run,
            normal.endsByItself ? min(max(normal.duration * 4, .seconds(2)), Self.timeout) : .seconds(1))
        {
        case .completed(let success):
            return success || !normal.success
                ? nil : "after a kill the next run fails, but the one before did not. \(remedy)"
        case .ended(let sentence): return "after a kill the next worker \(sentence). \(remedy)"
        case .late:
            heir.expire(run)
            guard case .late = heir.waitForEnd(of: run, task.grace) else { return nil }
            return "after a kill the next run does not end. \(remedy)"
        }
    }
}
