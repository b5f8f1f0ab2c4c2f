import Glibc
import LullModel

/// How much of the page's process a connection may take, and all of them together.
struct WebLimits: Sendable {
    /// Bytes of a request's first line.
    var line = 8 << 10
    /// Bytes of a request up to the empty line, that one included.
    var head = 16 << 10
    /// Lines of headers.
    var headers = 100
    /// Bytes of a body: none is looked at.
    var body = 64 << 10
    /// Bytes of a push's body.
    var push = Limits.pushBytesMost
    /// Connections at once.
    var connections = 192
    /// Bytes of answers that wait to be read, of all connections.
    var unread = 64 << 20
    /// Bytes that are still taken from who was refused, so that the refusal reaches whoever sends before it reads.
    var afterRefusal = 256 << 10
    /// Answers out of the history that are made at once: each may hold fifty thousand events.
    var readers = 4

    /// For a connection on which nothing is asked, and for one that reads nothing.
    var idle = Duration.seconds(60)
    /// For the whole of a request, from its first byte on.
    var request = Duration.seconds(10)
    /// For the end of a connection that was refused.
    var parting = Duration.seconds(2)

    /// As many connections as this process may have open files for: one may ask the host something over another.
    static var ofThisProcess: WebLimits {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return WebLimits() }
        return WebLimits(descriptors: UInt64(limit.rlim_cur))
    }

    init() {}

    init(descriptors: UInt64) {
        // What the history, the host's socket and the port itself need stands before the connections.
        let left = descriptors > 24 ? (descriptors - 24) / 2 : 0
        connections = Int(min(UInt64(connections), max(left, 4)))
    }

    /// Pages that listen to changes; the other connections are for what they then ask.
    var listeners: Int { min(64, connections / 2) }
}
