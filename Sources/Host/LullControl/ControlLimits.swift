import LullModel

/// How much of the host a client of its socket may take, and all of them together.
struct ControlLimits {
    /// Connections at once.
    var connections = 256
    /// The page has up to 64 that wait for changes.
    var ofOneProcess = 96
    /// Bytes of a request. A submit is some hundred; a push is as long as its payload, each quotation mark in it twice.
    var request = 2 * Limits.pushBytesMost + 1024
    /// Bytes of an import. What has come of one is kept on disk, and of one at a time.
    var importing = ControlFrame.limit
    /// Bytes of answers that wait to be read, of all connections.
    var unread = 64 << 20
    /// For the whole of a request from its first byte on, and of an import.
    var timeout = Duration.seconds(10)
    var importTimeout = Duration.seconds(120)
}
