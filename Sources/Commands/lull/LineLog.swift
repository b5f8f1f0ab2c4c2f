import Logging
import LullHistory
import LullModel
import LullSystem

/// A log line for a terminal or a file: time, level where it matters, message; to standard error.
struct LineLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info
    var pipe = PipeWithTimeout.standardError

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let level = event.level >= .warning ? "\(event.level): " : ""
        pipe.write("\(Clock.wall.rfc3339) \(level)\(Self.line(event.message.description))")
    }

    /// The lines of a plugin's message must not look like lines of the host.
    static func line(_ message: String) -> String {
        message.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0).terminalSafe }.joined(separator: "\n    ")
    }
}

extension Logger {
    /// The log of a command: the journal where systemd has connected standard error to it, else lines.
    static func ofHost(_ level: Logger.Level) -> Logger {
        let journal = JournalSocket.ofStandardError()
        var logger = Logger(label: "lull") { _ -> any LogHandler in
            journal.map { JournalLog(socket: $0) } ?? LineLog()
        }
        logger.logLevel = level
        return logger
    }
}
