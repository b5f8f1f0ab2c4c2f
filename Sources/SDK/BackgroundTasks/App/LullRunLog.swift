/// The log of one run. It may cross threads, which the run's task object may not.
///
/// ```swift
/// let log = task.runLog
/// try await maintenance.run { step in log("did \(step)") }
/// ```
public struct LullRunLog: Sendable {
    let run: Run

    /// The log of the calling run, for code that has no task object.
    ///
    /// The calling run is the one whose handler or expiration handler calls, also from Swift tasks that they began. Elsewhere, as
    /// on a queue, it is the only run under way. With several runs or none this is nil: use ``LullApp/log(_:level:)``.
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
    /// The log of this run.
    public var runLog: LullRunLog { LullRunLog(run: run) }
}
