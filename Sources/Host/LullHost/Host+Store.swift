import LullHistory
import LullModel
import LullScheduler
import LullSystem

/// Names what keeps a commit waiting, and closes the history without stopping the loop.
extension Host {
    func watchStore() throws(LoopError) {
        commits.slowTimer = try LoopTimer(on: loop) { [unowned self] in lookForHolder() }
        reads.answered = { [unowned self] in restIfQuiet() }
    }

    /// Why records do not become durable at this time, as a sentence with its remedy; nil: nothing waits for long.
    var storeTrouble: String? {
        guard let since = commits.waitingSince else { return nil }
        let span = Clock.monotonic - since
        guard span >= StoreTrouble.timeout || isCommitFailing else { return nil }
        return StoreTrouble(
            span: span, holder: storeHolder?.holder, app: storeHolder?.app, error: commits.lastError
        ).sentence
    }

    private func lookForHolder() {
        guard let since = commits.waitingSince, !isClosing else { return }
        let due = since + StoreTrouble.timeout
        guard due <= Clock.monotonic else {
            commits.slowTimer?.arm(due)
            return
        }
        let path = history.path
        blocking.run(within: .seconds(5)) {
            LockHolder.find(of: path)
        } then: { [unowned self] found in
            guard commits.waitingSince != nil, !isClosing else { return }
            judge(found ?? nil)
            commits.slowTimer?.arm(Clock.monotonic + StoreTrouble.timeout)
        }
    }

    private func judge(_ holder: LockHolder?) {
        guard let holder else {
            storeHolder = nil
            // The holder is gone: there is no reason to wait for the next try.
            return commits.retry()
        }
        guard holder != storeHolder?.holder else { return }
        let worker = holder.pid.flatMap { pool?.worker(ofProcess: $0) }
        storeHolder = (holder, worker?.app)
        if let storeTrouble { logger.error("\(storeTrouble)") }
        noteChange()
        guard let worker else { return }
        handle(
            .violation(
                worker, nil, task: nil,
                sentence:
                    "its \(holder.words) held the lock of the history, so that nothing could be recorded",
                isFatal: true))
    }

    /// A record is durable again.
    func storeRecovered() {
        guard storeHolder != nil else { return }
        storeHolder = nil
        noteChange()
    }

    /// How long to wait for a disk that does not take the last checkpoint; all events are durable before.
    static let closingTimeout: Duration = .seconds(20)
    static let examiningTimeout: Duration = .minutes(5)

    /// Writes what is left and closes the history, while the loop goes on to answer; a second signal to end stops the wait.
    func closeHistory() {
        isClosing = true
        commits.slowTimer = nil
        guard !isHurried else { return }
        let (history, examines, time, logger) = (history, examinesAtEnd, Clock.wall, logger)
        do throws(LoopError) {
            let closed = try LoopChannel<Bool>(on: loop) { [unowned self] _ in
                isClosed = true
                loop.stop()
            }
            let timer = try LoopTimer(on: loop) { [unowned self] in hurry() }
            timer.arm(Clock.monotonic + (examines ? Self.examiningTimeout : Self.closingTimeout))
            writer.close {
                if examines { history.examine(at: time, logger) }
                try? history.close()
                closed.send(true)
            }
            while !isClosed, !isHurried { loop.run() }
            withExtendedLifetime((closed, timer)) {}
        } catch {
            // No descriptor is left to wait with.
            writer.close()
        }
    }

    /// Stops waiting for the history to close.
    func hurry() {
        isHurried = true
        loop.stop()
    }
}
