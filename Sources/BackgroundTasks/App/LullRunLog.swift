/// The log of one run, for code that has no use for its task: it may cross threads, which the task may not.
///
/// ```swift
/// let log = task.runLog
/// try await maintenance.run { step in log("did \(step)") }
/// ```
public struct LullRunLog: Sendable {
    let run: Run

    /// Writes a line to the log of the run.
    public func callAsFunction(_ message: String, level: LullLogLevel = .info) {
        run.log(message, level: level)
    }
}

extension BGTask {
    /// The log of this run, on its own.
    public var runLog: LullRunLog { LullRunLog(run: run) }
}
