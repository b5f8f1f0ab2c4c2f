import BackgroundTasks

/// Writes to the log of the run that the code belongs to, or else to the app's.
///
/// A run's log is that of ``BackgroundTasks/LullRunLog/current``. Texts and objects in a message are shown as
/// `<private>` unless they say `privacy: .public`, as on Apple's systems; numbers are shown. To see them all, set
/// `LULL_LOG_PRIVATE=1` in the environment of the host or of `lull launch`.
///
/// Apple: os, `Logger`.
public struct Logger: Sendable {
    let log: OSLog

    /// A log of a part of the app; its category precedes each message.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// The app's own log.
    public init() { log = .default }

    /// Writes to an existing log.
    public init(_ logObj: OSLog) { log = logObj }

    /// A message of the level `notice`.
    public func log(_ message: OSLogMessage) { log.write(message, .default) }
    /// A message of this level.
    public func log(level: OSLogType, _ message: OSLogMessage) { log.write(message, level) }
    /// A message of the level `trace`.
    public func trace(_ message: OSLogMessage) { log.write(message, .debug, as: .trace) }
    /// A message of the level `debug`.
    public func debug(_ message: OSLogMessage) { log.write(message, .debug) }
    /// A message of the level `info`.
    public func info(_ message: OSLogMessage) { log.write(message, .info) }
    /// A message of the level `notice`.
    public func notice(_ message: OSLogMessage) { log.write(message, .default) }
    /// A message of the level `warning`.
    public func warning(_ message: OSLogMessage) { log.write(message, .error, as: .warning) }
    /// A message of the level `error`.
    public func error(_ message: OSLogMessage) { log.write(message, .error) }
    /// A message of the level `critical`.
    public func critical(_ message: OSLogMessage) { log.write(message, .fault) }
    /// A message of the level `critical`.
    public func fault(_ message: OSLogMessage) { log.write(message, .fault) }
}
