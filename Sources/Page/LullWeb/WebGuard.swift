import LullControl

/// The access rules of the page, which are checked before any question is asked.
///
/// An unknown name in `Host` could be that of a foreign page, made to lead here (DNS rebinding). A change needs the
/// token in a header, which another site's page can't send without a preflight request.
public struct WebGuard: Sendable {
    /// The access that a request needs.
    public enum Door: Sendable {
        /// The page's own files, which show nothing by themselves.
        case page
        /// Names, states, times, reasons; without the token the output of plugins is left out of them.
        case reading
        /// The output of plugins, which may hold secrets.
        case output
        /// A change.
        case changing
        /// Messages of other services, which may use any name for the page, and have a token or a secret of their own.
        case pushing
    }

    /// The parts of a request that the rules look at.
    public struct Client: Sendable {
        public var host: String?
        public var origin: String?
        /// `Sec-Fetch-Site`.
        public var site: String?
        public var authorization: String?

        public init(
            host: String?, origin: String? = nil, site: String? = nil, authorization: String? = nil
        ) {
            self.host = host
            self.origin = origin
            self.site = site
            self.authorization = authorization
        }
    }

    public let token: WebToken
    /// Names beside `localhost` under which the page is served.
    public var names: Set<String>
    /// Whether other machines can reach it: then nothing is shown without the token.
    public var isOpen: Bool

    public init(token: WebToken, names: Set<String> = [], isOpen: Bool = false) {
        self.token = token
        self.names = names
        self.isOpen = isOpen
    }

    /// Nil: the request may pass.
    public func refusal(of client: Client, at door: Door) -> WebReply? {
        if door == .pushing { return nil }
        guard let host = client.host, let name = Self.name(in: host) else {
            return .refusal(400, "The request names no host.")
        }
        guard name == "localhost" || WebAddress.isLiteral(name) || names.contains(name.lowercased()) else {
            return .refusal(
                403,
                "This page is not served under the name '\(name)'. Call it by its address or as localhost, or start "
                    + "it with --http-name \(name).")
        }
        if door == .changing {
            if let site = client.site, site != "same-origin", site != "none" {
                return .refusal(403, "Another site's page may not change anything here.")
            }
            if let origin = client.origin, origin != "http://" + host, origin != "https://" + host {
                return .refusal(403, "A page from \(origin) may not change anything here.")
            }
        }
        let needsToken = door == .changing || door == .output || (door == .reading && isOpen)
        guard !needsToken || knows(client) else {
            return .refusal(
                401,
                "This needs the page's token, in the header Authorization: Bearer TOKEN. It is in the state folder, "
                    + "in the file \(WebToken.fileName), and in the address that `lull run --http` printed.")
        }
        return nil
    }

    /// Whether the client has the token.
    func knows(_ client: Client) -> Bool {
        guard let claim = client.authorization, claim.hasPrefix("Bearer ") else { return false }
        return token.matches(String(claim.dropFirst(7)))
    }

    /// The name or address without its port; nil when it is no host.
    static func name(in host: String) -> String? {
        if host.hasPrefix("[") {
            guard let end = host.firstIndex(of: "]") else { return nil }
            guard isPort(host[host.index(after: end)...]) else { return nil }
            return String(host[host.index(after: host.startIndex)..<end])
        }
        let name = host.prefix { $0 != ":" }
        return name.isEmpty || !isPort(host[name.endIndex...]) ? nil : String(name)
    }

    /// Whether this is empty or a port behind a name: in `localhost:1@evil.example` the host is another one.
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}
