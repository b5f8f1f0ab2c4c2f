private import Glibc

/// The journal's own socket, to which entries are sent whole, each as one datagram (systemd's native protocol).
public final class JournalSocket: Sendable {
    private let descriptor: Int32
    private let address: UnixAddress

    /// Where systemd's journal listens.
    public static let path = "/run/systemd/journal/socket"

    /// Nil unless standard error leads to the journal: `$JOURNAL_STREAM` names the device and inode of that stream,
    /// which standard error leaves when it is redirected.
    public static func ofStandardError() -> JournalSocket? {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }) else { return nil }
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0, stream == "\(status.st_dev):\(status.st_ino)" else {
            return nil
        }
        return JournalSocket(path: path)
    }

    /// Nil: there can be no socket, or none of such a path.
    public init?(path: String) {
        guard let address = UnixAddress(path) else { return nil }
        self.address = address
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if descriptor < 0 { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sends an entry. Returns an errno if it was not taken: no journal listens, or the entry is too long for a
    /// datagram. Nil: it is written.
    public func send(_ fields: [(name: String, value: String)]) -> Int32? {
        let entry = Self.entry(fields)
        // The loop must not wait.
        let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
        return address.with { sendto(descriptor, entry, entry.count, flags, $0, $1) } < 0 ? errno : nil
    }

    /// `NAME=value` and a line's end; a value of several lines behind its length in eight bytes, little-endian.
    public static func entry(_ fields: [(name: String, value: String)]) -> [UInt8] {
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
