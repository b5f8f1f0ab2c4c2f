import Glibc

/// The journal's own socket, to which entries are sent whole, each as one datagram (systemd's native protocol).
final class JournalSocket: Sendable {
    private let descriptor: Int32
    private let path: String

    /// Where systemd's journal listens.
    static let path = "/run/systemd/journal/socket"

    /// Nil unless standard error leads to the journal: `$JOURNAL_STREAM` names the device and inode of that stream, and
    /// who has been redirected since is no longer there.
    static func ofStandardError() -> JournalSocket? {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return nil }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0, stream == "\(status.st_dev):\(status.st_ino)" else {
            return nil
        }
        return JournalSocket(path: path)
    }

    init?(path: String) {
        guard path.utf8.count < 108 else { return nil }
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        self.path = path
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// False when nobody takes it: no journal listens, or the entry is too long for a datagram.
    func send(_ fields: [(name: String, value: String)]) -> Bool {
        let entry = Self.entry(fields)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // Nobody makes the loop wait.
                sendto(
                    descriptor, entry, entry.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0,
                    socklen_t(MemoryLayout<sockaddr_un>.size)) == entry.count
            }
        }
    }

    /// `NAME=value` and a line's end; a value of several lines behind its length in eight bytes, little-endian.
    static func entry(_ fields: [(name: String, value: String)]) -> [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in fields {
            bytes += name.utf8
            if value.utf8.contains(UInt8(ascii: "\n")) {
                bytes.append(UInt8(ascii: "\n"))
                withUnsafeBytes(of: UInt64(value.utf8.count).littleEndian) { bytes += $0 }
            } else {
                bytes.append(UInt8(ascii: "="))
            }
            bytes += value.utf8
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }
}
