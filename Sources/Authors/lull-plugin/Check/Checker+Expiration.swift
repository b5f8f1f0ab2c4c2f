import LullModel
import LullSystem

/// Runs that expire: as early as possible, while they run, and at random moments.
extension Checker {
    private enum Moment {
        case atOnce
        case running
        case random(Duration)
    }

    func checkExpiration(_ tasks: [TaskDefinition]) {
        var atOnce: [String] = []
        var running: [String] = []
        var random: [String] = []
        for task in tasks {
            if wanted.contains(.expiresAtOnce) {
                atOnce += expireRuns(of: task, at: [.atOnce], .expiresAtOnce)
            }
            if wanted.contains(.expiresWhileRunning) {
                running += expireRuns(of: task, at: [.running], .expiresWhileRunning)
            }
            guard wanted.contains(.expiresAtRandom) else { continue }
            let limit = min(normal[task.identifier]?.duration ?? .seconds(1), .seconds(2))
            let moments = (0..<Self.randomInstants).map { _ in Moment.random(randomDuration(upTo: limit)) }
            random += expireRuns(of: task, at: moments, .expiresAtRandom)
        }
        conclude(.expiresAtOnce, atOnce)
        conclude(.expiresWhileRunning, running)
        conclude(.expiresAtRandom, random)
    }

    /// The fault of the first run that does not end well; one fresh worker gets all the moments.
    private func expireRuns(of task: TaskDefinition, at moments: [Moment], _ check: PluginCheck) -> [String] {
        let trial = trial()
        defer { end(trial) }
        guard trial.waitForStart().fault == nil else {
            leaveOut([check], task, "it did not start again")
            return []
        }
        for moment in moments {
            let run = trial.launch(task)
            let words: String
            switch moment {
            case .atOnce: words = "while it was launched"
            case .running:
                words = "after its launch had returned"
                _ = trial.waitForReturn(of: run, .seconds(5))
            case .random(let span):
                words = "\(span.milliseconds) ms after its launch"
                trial.wait(span) { trial.ending != nil }
            }
            trial.expire(run)
            if let fault = fault(of: run, of: task, in: trial, words) {
                return ["\(task.identifier): \(fault)"]
            }
        }
        return []
    }

    private func fault(of run: UInt64, of task: TaskDefinition, in trial: Trial, _ words: String) -> String? {
        switch trial.waitForEnd(of: run, task.grace) {
        case .completed: return nil
        case .ended(let sentence):
            return
                "when a run expired \(words), its worker \(sentence). Complete the run, and do not end the process."
        case .late:
            return
                "a run that expired \(words) had not ended \(task.grace.milliseconds / 1000) s later. Stop the work in "
                + "the expiration handler, and complete the run."
        }
    }
}
