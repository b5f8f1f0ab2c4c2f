import Glibc

/// The variables that the host has given this process.
enum Environment {
    static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Whether libcurl may ask a proxy, as its variables say.
    static let hasProxy = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains {
        value($0)?.isEmpty == false
    }

    /// All certificates of authorities in one file; nil: this system has none where Debian or Fedora have it.
    static let authorities = value("SSL_CERT_FILE") ?? bundles.first { access($0, R_OK) == 0 }

    private static let bundles = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]
}
