import Glibc

/// Why the page is not served.
public enum WebError: Error, Sendable, Equatable {
    case inUse(WebAddress)
    case notPermitted(WebAddress)
    case notHere(WebAddress)
    case notLoopback(WebAddress)
    case token(path: String, code: Int32)
    /// A file of tokens that others may read.
    case openTokens(path: String)
    /// A file of tokens that can't be read, or is none.
    case tokens(path: String)
    /// Another process handed over something that is no socket to serve on.
    case notListening
    case server(String)

    /// `code`: of a system call.
    public init(_ code: Int32, at address: WebAddress) {
        self =
            switch code {
            case EADDRINUSE: .inUse(address)
            case EACCES: .notPermitted(address)
            case EADDRNOTAVAIL: .notHere(address)
            default: .server(String(cString: strerror(code)))
            }
    }

    public var message: String {
        switch self {
        case .inUse(let address):
            "The page can't be served: another program listens on \(address.text). Name another port, such as "
                + "--http \(address.isIPv6 ? "[\(address.host)]" : address.host):\(address.port &+ 1), or 0 for one "
                + "that is free; `ss -ltnp 'sport = :\(address.port)'` names the program."
        case .notPermitted(let address):
            "The page can't be served: this user may not listen on port \(address.port). Name a port of 1024 or above."
        case .notHere(let address):
            "The page can't be served: this machine has no address \(address.host). `ip address` lists its addresses."
        case .notLoopback(let address):
            "\(address.host) can be reached from other machines. If you mean that, add --http-open: the page "
                + "then asks for its token before it shows anything, and neither is encrypted. Otherwise use 127.0.0.1."
        case .token(let path, let code):
            "The token can't be kept in \(path): \(String(cString: strerror(code)))."
        case .openTokens(let path):
            "Others may read \(path), so no token in it is taken. Run `chmod 600 \(path)`."
        case .tokens(let path):
            "\(path) can't be read. Move it away; then all its tokens are void, and `lull token new` and "
                + "`lull push --new-token` make new ones."
        case .notListening:
            "The page can't be served: the socket that the service manager handed over does not listen at an address and a port. "
                + "`ListenStream=` of lull.socket names both, such as 127.0.0.1:8320."
        case .server(let what): "The page can't be served: \(what)."
        }
    }
}
