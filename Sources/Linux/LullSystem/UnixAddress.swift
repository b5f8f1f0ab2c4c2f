public import Glibc

/// The address of a Unix socket: a path, or the name of an abstract one.
public struct UnixAddress: Sendable {
    private let bytes: [UInt8]

    /// Nil: it is longer than the kernel takes. `mayBeAbstract`: an `@` begins an abstract name, which is no path.
    public init?(_ path: String, mayBeAbstract: Bool = false) {
        var bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else {
            return nil
        }
        // An abstract name begins with a zero byte and ends where the address does; a path ends with one.
        if mayBeAbstract, bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 } else { bytes.append(0) }
        self.bytes = bytes
    }

    /// Calls `body` with the address as system calls take it.
    public func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let path = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(path + bytes.count))
            }
        }
    }
}
