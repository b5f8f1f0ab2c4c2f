import CLullCurl
import LullTransfers

/// The scheme, host and port of a URL, by which transfers are permitted and credentials are given.
struct Place: Hashable {
    let scheme: String
    let host: String
    let port: Int

    /// Nil when it is not a URL of http or https.
    init?(_ url: String) {
        guard let scheme = Self.part(url, CURLUPART_SCHEME)?.lowercased(),
            scheme == "http" || scheme == "https",
            let host = Self.part(url, CURLUPART_HOST), !host.isEmpty,
            let port = Self.part(url, CURLUPART_PORT).flatMap({ Int($0) })
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
    }

    private static func part(_ url: String, _ part: CURLUPart) -> String? {
        guard let text = lull_curl_url_part(url, part) else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
