import BackgroundTasks

/// A part of the app's log.
///
/// Apple: os, `OSLog`.
public final class OSLog: Sendable {
    /// The part of a program, as its author names it. The log has the app's own name already.
    public let subsystem: String
    /// The prefix of each message; none if it is empty.
    public let category: String
    private let isOn: Bool

    /// A part of the app's log.
    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
        isOn = true
    }

    private init(isOn: Bool) {
        subsystem = ""
        category = ""
        self.isOn = isOn
    }

    /// The app's log.
    public static let `default` = OSLog(isOn: true)
    /// A log that writes nothing.
    public static let disabled = OSLog(isOn: false)

    /// Whether a message of this level is written.
    public func isEnabled(type: OSLogType) -> Bool { isOn }

    func write(_ message: OSLogMessage, _ type: OSLogType, as level: LullLogLevel? = nil) {
        write(message.text(showingPrivate: Privacy.isShown), level ?? type.level)
    }

    func write(_ text: String, _ level: LullLogLevel) {
        guard isOn else { return }
        let line = category.isEmpty ? text : "[\(category)] \(text)"
        guard let run = LullRunLog.current else { return LullApp.log(line, level: level) }
        run(line, level: level)
    }
}

/// How much a message matters.
///
/// Apple: os, `OSLogType`.
public struct OSLogType: RawRepresentable, Equatable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Lull's `notice`.
    public static let `default` = OSLogType(rawValue: 0)
    /// `info`.
    public static let info = OSLogType(rawValue: 1)
    /// `debug`.
    public static let debug = OSLogType(rawValue: 2)
    /// `error`.
    public static let error = OSLogType(rawValue: 16)
    /// `critical`.
    public static let fault = OSLogType(rawValue: 17)

    var level: LullLogLevel {
        switch self {
        case .debug: .debug
        case .info: .info
        case .error: .error
        case .fault: .critical
        default: .notice
        }
    }
}
