import FlyingSocks
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
                "'\(name)' is a name, and the page is served at an address. Write it as 127.0.0.1:8320 or [::1]:8320."
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
    init?(of socket: Socket) throws {
        switch try socket.sockname() {
        case .ip4(let host, let port), .ip6(let host, let port): self.init(host: host, port: port)
        case .unix: return nil
        }
    }

    public var isIPv6: Bool { host.contains(":") }

    /// Nobody but this machine's own users can reach it.
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
        // Without brackets, which colon is the port's nobody can tell.
        guard !text[..<colon].contains(":") else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    /// Whether it is an address in figures, which no name server has a say in.
    static func isLiteral(_ host: String) -> Bool {
        var four = in_addr()
        var six = in6_addr()
        return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
    }
}
