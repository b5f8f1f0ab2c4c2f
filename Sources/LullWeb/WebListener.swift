import FlyingSocks
import Glibc

/// A socket that listens where the page is served.
///
/// Who holds it keeps the port: the process that serves may end and be started again, and no other program gets the port, and
/// with it the page's token, meanwhile.
public final class WebListener: Sendable {
    let socket: Socket
    /// With the port that the kernel chose, where it did.
    public let address: WebAddress

    public var descriptor: Int32 { socket.file.rawValue }

    public init(at address: WebAddress) throws(WebError) {
        do {
            socket = try Self.listen(at: address)
        } catch {
            throw WebError(error, at: address)
        }
        do {
            self.address = try WebAddress(of: socket) ?? address
        } catch {
            try? socket.close()
            throw WebError(error, at: address)
        }
    }

    /// Of a socket that another process has opened, and that belongs to this object from now on.
    public init(given descriptor: Int32) throws(WebError) {
        socket = Socket(file: .init(rawValue: descriptor))
        var listens: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens != 0,
            let address = try? WebAddress(of: socket), (try? socket.setFlags(.nonBlocking)) != nil
        else { throw .notListening }
        self.address = address
    }

    deinit { try? socket.close() }

    private static func listen(at address: WebAddress) throws -> Socket {
        // What this process starts gets the port only where it is handed over.
        let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        let file = Glibc.socket(address.isIPv6 ? AF_INET6 : AF_INET, Int32(type), 0)
        guard file >= 0 else { throw SocketError.makeFailed("socket") }
        let socket = Socket(file: .init(rawValue: file))
        do {
            try socket.setValue(true, for: .localAddressReuse)
            if address.isIPv6 {
                try socket.bind(to: sockaddr_in6.inet6(ip6: address.host, port: address.port))
            } else {
                try socket.bind(to: sockaddr_in.inet(ip4: address.host, port: address.port))
            }
        } catch {
            try? socket.close()
            throw error
        }
        // Closes the socket when it fails.
        try socket.listen()
        return socket
    }
}
