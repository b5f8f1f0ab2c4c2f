import Logging
import LullCommands
import LullModel
import LullSystem

/// Log entries for systemd's journal: with a priority and fields, and as one entry each, however many lines they have.
///
/// Metadata becomes fields: `app` is `LULL_APP`, and `journalctl LULL_APP=com.example.ColorFeed` finds it.
struct JournalLog: LogHandler {
    let socket: JournalSocket
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    init(socket: JournalSocket) { self.socket = socket }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let message = event.message.description
        var fields = [
            ("MESSAGE", message), ("PRIORITY", String(Self.priority(of: event.level))),
            ("SYSLOG_IDENTIFIER", "lull"),
        ]
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        fields += all.sorted { $0.key < $1.key }.map { (Self.field($0.key), $0.value.description) }
        if socket.send(fields) == nil { return }
        // The stream takes a priority for each line, and no fields.
        for line in message.split(separator: "\n") {
            Output.error("<\(Self.priority(of: event.level))>\(String(line).terminalSafe)")
        }
    }

    /// Syslog's numbers.
    static func priority(of level: Logger.Level) -> Int {
        switch level {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }

    /// The names of the journal's fields have only capital letters, digits and underscores.
    static func field(_ key: String) -> String {
        "LULL_" + String(key.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }
}
