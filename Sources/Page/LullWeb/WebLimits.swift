import Glibc
import LullModel

/// How much of the page's process a connection may use, and all of them together.
struct WebLimits: Sendable {
    /// Bytes of a request's first line.
    var line = 8 << 10
    /// Bytes of a request up to the empty line, that one included.
    var head = 16 << 10
    /// Lines of headers.
    var headers = 100
    /// Bytes of a body that is discarded.
    var body = 64 << 10
    /// Bytes of a push's body.
    var push = Limits.pushBytesMost
    /// Connections at once.
    var connections = 192
    /// Bytes of answers that wait to be read, of all connections.
    var unread = 64 << 20
    /// Bytes that are still read after a refusal, so that it reaches a client that sends before it reads.
    var afterRefusal = 256 << 10
    /// Answers from the history that are made at once: each may hold fifty thousand events.
    var readers = 4

    /// For a connection that asks nothing, and for one that reads nothing.
    var idle = Duration.seconds(60)
    /// For a whole request, from its first byte on.
    var request = Duration.seconds(10)
    /// For the end of a connection that was refused.
    var parting = Duration.seconds(2)

    /// As many connections as this process's limit of open files allows: each may need another one to the host.
    static var ofThisProcess: WebLimits {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return WebLimits() }
        return WebLimits(descriptors: UInt64(limit.rlim_cur))
    }

    init() {}

    init(descriptors: UInt64) {
        // The files of the history, the host's socket and the port itself come before the connections.
        let left = descriptors > 24 ? (descriptors - 24) / 2 : 0
        connections = Int(min(UInt64(connections), max(left, 4)))
    }

    /// Pages that listen to changes; the other connections are for the questions that follow.
    var listeners: Int { min(64, connections / 2) }
}
