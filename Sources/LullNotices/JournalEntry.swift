private import CLullShims
private import Glibc
import LullModel

/// A notice as an entry of systemd's journal, in its native protocol: fields that `journalctl LULL_KIND=failed` finds.
struct JournalEntry {
    static let socket = "/run/systemd/journal/socket"

    let message: NoticeMessage

    /// `NAME`, a newline, the length in eight bytes, the value, a newline: whatever the value holds.
    var bytes: [UInt8] {
        var fields = [
            ("MESSAGE", message.notice.subject + ": " + message.notice.reason),
            ("PRIORITY", message.isTest ? "6" : priority), ("SYSLOG_IDENTIFIER", "lull"),
            ("LULL_SUBJECT", message.subject),
        ]
        fields += message.variables.filter { $0.name != "LULL_SUBJECT" }.map { ($0.name, $0.value) }
        if let output = message.output { fields.append(("LULL_OUTPUT", output)) }
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes += Array(name.utf8) + [0x0A]
            withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += Array($0) }
            bytes += Array(value.utf8) + [0x0A]
        }
        return bytes
    }

    private var priority: String {
        switch message.notice.kind {
        case .failed, .overdue: "3"
        case .idle: "4"
        case .recovered: "5"
        case .output: "6"
        }
    }

    /// Why it could not be written; nil: it was.
    func send(to path: String = Self.socket) -> String? {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { return "the path of its socket is too long" }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else {
            return "there is no journal at \(path): \(String(cString: strerror(errno)))"
        }
        let bytes = bytes
        let count = bytes.withUnsafeBytes { lull_send(descriptor, $0.baseAddress, $0.count, 0) }
        return count >= 0 ? nil : "the journal does not take it: \(String(cString: strerror(Int32(-count))))"
    }
}
