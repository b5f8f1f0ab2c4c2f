import Logging
import LullHistory
import LullLoop

/// A log line for a terminal or a journal: time, level where it matters, message; to standard error.
struct LineLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let level = event.level >= .warning ? "\(event.level): " : ""
        Output.error("\(Clock.wall.rfc3339) \(level)\(event.message)")
    }
}
