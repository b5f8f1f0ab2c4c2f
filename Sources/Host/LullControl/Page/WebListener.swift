import Glibc

/// A socket that listens where the page is served.
///
/// Its holder keeps the port: the process that serves may end and be started again, and no other program gets the port,
/// and with it the page's token, meanwhile.
public final class WebListener: Sendable {
    public let descriptor: Int32
    /// With the port that the kernel chose, where it did.
    public let address: WebAddress

    public init(at address: WebAddress) throws(WebError) {
        // Children of this process get the socket only where it is handed over.
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, Int32(type), 0)
        guard descriptor >= 0 else { throw WebError(errno, at: address) }
        guard Self.listens(descriptor, at: address), let bound = WebAddress(of: descriptor) else {
            let error = WebError(errno, at: address)
            close(descriptor)
            throw error
        }
        self.address = bound
    }

    /// Takes over a socket that another process has opened.
    public init(given descriptor: Int32) throws(WebError) {
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0,
            let address = WebAddress(of: descriptor),
            fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) == 0
        else { throw .notListening }
        self.descriptor = descriptor
        self.address = address
    }

    deinit { close(descriptor) }

    /// False, with the reason in `errno`.
    private static func listens(_ descriptor: Int32, at address: WebAddress) -> Bool {
        var reuses: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        return setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, size) == 0
            && address.withSocketAddress { bind(descriptor, $0, $1) } == 0
            && listen(descriptor, SOMAXCONN) == 0
    }
}
