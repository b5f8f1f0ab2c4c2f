import Foundation
import FoundationNetworking

/// The certificate that a server has shown. An app can trust it, and nothing more: there is no Security framework here to
/// inspect it.
///
/// Apple: Security, `SecTrust`.
public final class SecTrust: Sendable {
    /// The name of the server.
    public let host: String
    init(host: String) { self.host = host }
}

/// Apple: Foundation, `NSURLAuthenticationMethodServerTrust`.
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

/// Apple: Foundation, `NSURLAuthenticationMethodClientCertificate`.
public let NSURLAuthenticationMethodClientCertificate = "NSURLAuthenticationMethodClientCertificate"

extension URLProtectionSpace {
    /// Not nil where the server's certificate is in question.
    ///
    /// Apple: Foundation, `URLProtectionSpace.serverTrust`.
    public var serverTrust: SecTrust? {
        authenticationMethod == NSURLAuthenticationMethodServerTrust ? SecTrust(host: host) : nil
    }
}

extension URLCredential {
    private static let trustName = "lull: the server is trusted"

    /// Trusts the server that has shown this, for one transfer.
    ///
    /// Apple: Foundation, `URLCredential.init(trust:)`.
    public convenience init(trust: SecTrust) {
        self.init(user: Self.trustName, password: "", persistence: .none)
    }

    var isTrust: Bool { user == Self.trustName && password == "" }
}
