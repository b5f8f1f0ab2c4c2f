/// A file and its version: another file, or the same file with other content, is not equal to it.
public struct FileIdentity: Sendable, Hashable {
    public var device: UInt64
    public var inode: UInt64
    public var bytes: Int64
    /// The time of the last change of its content, in nanoseconds since 1970.
    public var modified: Int64

    public init(device: UInt64, inode: UInt64, bytes: Int64, modified: Int64) {
        self.device = device
        self.inode = inode
        self.bytes = bytes
        self.modified = modified
    }
}
