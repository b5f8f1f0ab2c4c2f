import LullModel

/// How much of the host each client of its socket may use, and all of them together.
struct ControlLimits {
    /// Connections at once.
    var connections = 256
    /// Connections of one process. The page has up to 64 that wait for changes.
    var ofOneProcess = 96
    /// Bytes of a request. A submit is some hundred; a push is as long as its payload, each quotation mark in it twice.
    var request = 2 * Limits.pushBytesMost + 1024
    /// Bytes of an import. It is kept on disk as it comes, one import at a time.
    var importing = ControlFrame.limit
    /// Bytes of answers that wait to be read, of all connections.
    var unread = 64 << 20
    /// The time for a whole request from its first byte on, and for an import.
    var timeout = Duration.seconds(10)
    var importTimeout = Duration.seconds(120)
}
