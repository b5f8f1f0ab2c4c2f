import Glibc

/// Where the page is served: an address and a port, `127.0.0.1:8320` or `[::1]:8320`; port 0 lets the kernel choose.
public struct WebAddress: Sendable, Equatable {
    public enum Failure: Error, Sendable, Equatable {
        case malformed(String)
        case name(String)

        public var message: String {
            switch self {
            case .malformed(let text):
                "'\(text)' is not an address with a port. Write it as 127.0.0.1:8320 or [::1]:8320."
            case .name(let name):
                "'\(name)' is a name, but the page is served at an address. Write it as 127.0.0.1:8320 or [::1]:8320."
            }
        }
    }

    public let host: String
    public var port: UInt16

    /// `localhost` stands for 127.0.0.1, and so does a port alone.
    public init(_ text: String) throws(Failure) {
        guard let (host, port) = Self.split(text) else { throw .malformed(text) }
        guard let port = UInt16(port) else { throw .malformed(text) }
        let literal = host.isEmpty || host == "localhost" ? "127.0.0.1" : host
        guard Self.isLiteral(literal) else { throw .name(host) }
        self.host = literal
        self.port = port
    }

    /// Lull's own port, for this machine's users alone.
    public static let usual = WebAddress(host: "127.0.0.1", port: 8320)

    private init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Where a socket is bound; nil where that is no port of this machine.
    init?(of socket: Int32) {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let isKnown = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket, $0, &size) == 0
                    && getnameinfo($0, size, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        // Both kinds of address have the port at the same offset.
        guard isKnown, [AF_INET, AF_INET6].contains(Int32(address.ss_family)) else { return nil }
        let port = withUnsafeBytes(of: address) { $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self) }
        let bytes = host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        self.init(host: String(decoding: bytes, as: UTF8.self), port: UInt16(bigEndian: port))
    }

    /// Calls `body` with the address as system calls take it.
    func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        func call<Address>(_ address: Address) -> Int32 {
            withUnsafePointer(to: address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        if isIPv6 {
            var six = sockaddr_in6()
            (six.sin6_family, six.sin6_port) = (sa_family_t(AF_INET6), port.bigEndian)
            inet_pton(AF_INET6, host, &six.sin6_addr)
            return call(six)
        }
        var four = sockaddr_in()
        (four.sin_family, four.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
        inet_pton(AF_INET, host, &four.sin_addr)
        return call(four)
    }

    public var isIPv6: Bool { host.contains(":") }

    /// Whether only this machine's own users can reach it.
    public var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// As it stands in a URL.
    public var text: String { (isIPv6 ? "[\(host)]" : host) + ":\(port)" }

    /// Host and port; nil when there is no port or a bracket is left open.
    private static func split(_ text: String) -> (String, String)? {
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]"), text[end...].hasPrefix("]:") else { return nil }
            return (String(text[text.index(after: text.startIndex)..<end]), String(text[end...].dropFirst(2)))
        }
        guard let colon = text.lastIndex(of: ":") else { return UInt16(text) == nil ? nil : ("", text) }
        // Without brackets it is not clear which colon is the port's.
        guard !text[..<colon].contains(":") else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    /// Whether it is a numeric address, which needs no name server.
    public static func isLiteral(_ host: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
    }
}
