import Logging
import LullWire

extension LogLevel {
    /// The same level in the log's words.
    var inLog: Logger.Level {
        switch self {
        case .trace: .trace
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        case .critical: .critical
        }
    }
}
