public import LullControl
import LullModel

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
        /// Whether a token is right.
        case checking
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
        /// In the header that `WebGuard.userHeader` names.
        public var user: String?

        public init(
            host: String?, origin: String? = nil, site: String? = nil, authorization: String? = nil,
            user: String? = nil
        ) {
            self.host = host
            self.origin = origin
            self.site = site
            self.authorization = authorization
            self.user = user
        }
    }

    /// What a client with a token may do.
    struct Access: Sendable, Equatable {
        /// Of a token with a name; nil: it is the page's own, which permits everything.
        var token: PageToken?
        /// For the host, which records who acts.
        var bearer: Bearer

        func permits(_ scope: PageToken.Scope) -> Bool { token.map { $0.scope >= scope } ?? true }

        var may: String { token?.words ?? "do everything" }

        /// As people read it in the log.
        var words: String {
            guard let person = bearer.person else {
                return token.map { "the token \($0.name)" } ?? "the page's own token"
            }
            return "\(person) (\(token.map { "token \($0.name)" } ?? "the page's own token"))"
        }

        /// Nil: it may act on this app; `app`: nil for the host as a whole.
        func refusal(on app: AppIdentifier?) -> WebRefusal? {
            guard let token, !token.apps.isEmpty, !(app.map(token.apps.contains) ?? false) else { return nil }
            return WebRefusal(403, "The token \(token.name) may \(token.words).")
        }
    }

    public let token: WebToken
    /// Tokens with names; nil: there are none.
    public var tokens: PageTokens?
    /// Names beside `localhost` under which the page is served.
    public var names: Set<String>
    /// Whether other machines can reach it: then nothing is shown without the token.
    public var isOpen: Bool
    /// The header in which a proxy names the person, in small letters; nil: no header is believed.
    public var userHeader: String?

    public init(
        token: WebToken, tokens: PageTokens? = nil, names: Set<String> = [], isOpen: Bool = false,
        userHeader: String? = nil
    ) {
        self.token = token
        self.tokens = tokens
        self.names = names
        self.isOpen = isOpen
        self.userHeader = userHeader?.lowercased()
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
        if door == .changing || door == .checking {
            if let site = client.site, site != "same-origin", site != "none" {
                return .refusal(403, "Another site's page may not change anything here.")
            }
            if let origin = client.origin, origin != "http://" + host, origin != "https://" + host {
                return .refusal(403, "A page from \(origin) may not change anything here.")
            }
        }
        guard let needed = scope(at: door) else { return nil }
        guard let access = access(of: client) else {
            return .refusal(
                401,
                "This needs the page's token, in the header Authorization: Bearer TOKEN. It is in the state folder, "
                    + "in the file \(WebToken.fileName), and in the address that `lull run --http` printed; `lull token new` makes one with fewer rights."
            )
        }
        guard let token = access.token, token.scope < needed else { return nil }
        return .refusal(
            403,
            "The token \(token.name) may \(token.words). `lull token new NAME --scope \(needed.rawValue)` makes one that may do this."
        )
    }

    /// What a token has to permit; nil: none is needed.
    private func scope(at door: Door) -> PageToken.Scope? {
        switch door {
        case .page, .pushing: nil
        case .reading: isOpen ? .read : nil
        case .checking: .read
        case .output: .output
        case .changing: .act
        }
    }

    /// Nil: the client has no token of this page.
    func access(of client: Client) -> Access? {
        guard let text = WebToken.claim(in: client.authorization) else { return nil }
        let person = client.user.flatMap { ActorName.bounded($0, to: Bearer.personBytes) }
        let bearer = Bearer(token: text, person: person)
        if token.matches(text) { return Access(bearer: bearer) }
        return tokens?.find(text).map { Access(token: $0, bearer: bearer) }
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
