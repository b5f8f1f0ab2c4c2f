/// The log of one run, for code that has no use for its task: it may cross threads, which the task may not.
///
/// ```swift
/// let log = task.runLog
/// try await maintenance.run { step in log("did \(step)") }
/// ```
public struct LullRunLog: Sendable {
    let run: Run

    /// That of the run in which this is called, for code that was handed nothing.
    ///
    /// It is the run whose handler or expiration handler called, also by way of Swift tasks that they began; else, as
    /// on a queue, the only run that is under way; else nil, and ``LullApp/log(_:level:)`` is the place.
    public static var current: LullRunLog? {
        if let run = CurrentRun.run, !run.isCompleted { return LullRunLog(run: run) }
        return BGTaskScheduler.shared.registry.onlyRun.map(LullRunLog.init)
    }

    /// Writes a line to the log of the run.
    public func callAsFunction(_ message: String, level: LullLogLevel = .info) {
        run.log(message, level: level)
    }
}

/// The run that the calling code works for.
enum CurrentRun {
    @TaskLocal static var run: Run?
}

extension BGTask {
    /// The log of this run, on its own.
    public var runLog: LullRunLog { LullRunLog(run: run) }
}
