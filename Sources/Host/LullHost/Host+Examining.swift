import Glibc
import Logging
import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// Examines the whole history now and then, while nothing runs: a start looks for broken pages at most.
extension Host {
    func beginExaminations(_ history: SQLiteHistory) throws(HistoryError) {
        lastFinding = try history.lastFinding()
        examination = ExaminationTimes(
            last: try history.lastExamination()?.time, start: Clock.wall,
            isPass: configuration.goal == .pass)
        commits.settled = { [unowned self] in settled($0) }
    }

    /// At a moment at which the host is awake anyway.
    func examineIfIdle() {
        guard configuration.goal == .service, hasBegun, !isShuttingDown, !isExamining,
            scheduler.runCount == 0,
            examination.isDue(at: Clock.wall)
        else { return }
        examine()
    }

    /// Examines the history on a thread of the lowest priority.
    func examine() {
        isExamining = true
        let history = history
        blocking.run(within: .minutes(30)) { () -> Result<[String], HistoryError> in
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
            return Result { () throws(HistoryError) in try history.problems() }
        } then: { [unowned self] found in
            switch found {
            case .success(let problems) where !isClosing:
                commits.settle(problems, in: history, at: Clock.wall)
            case .failure(let error): settled(.failure(error))
            case .success, nil: settled(nil)
            }
        }
    }

    private func settled(_ result: Result<HistoryExamination, HistoryError>?) {
        isExamining = false
        switch result {
        case .success(let examination):
            self.examination.looked(at: examination.time)
            guard let sentence = examination.sentence else { return }
            lastFinding = examination
            logger.error("\(sentence)")
            noteChange()
        // The next start finds it, too, and saves what can be read.
        case .failure(.damaged(let path, let what)): historyTrouble(.damaged(path: path, what: what))
        case .failure(let error):
            logger.warning("The history could not be checked as a whole: \(error.message)")
            examination.postpone(at: Clock.wall)
        case nil: examination.postpone(at: Clock.wall)
        }
    }

    /// The sentence on a recent finding, for the status.
    var finding: String? {
        guard let lastFinding, Clock.wall - lastFinding.time < ExaminationTimes.tellingSpan else {
            return nil
        }
        return lastFinding.sentence
    }

    /// A pass has no idle hour: it examines the history at its end, on the writer's thread.
    var examinesAtEnd: Bool { configuration.goal == .pass && examination.isDue(at: Clock.wall) }
}

extension SQLiteHistory {
    /// Examines and settles in one call, once nothing else writes.
    func examine(at time: WallTime, _ logger: Logger) {
        do throws(HistoryError) {
            if let sentence = try settle(try problems(), at: time).sentence { logger.error("\(sentence)") }
        } catch {
            logger.error("\(error.message) \(error.fix)")
        }
    }
}
