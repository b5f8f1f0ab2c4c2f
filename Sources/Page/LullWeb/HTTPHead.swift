import Foundation

/// A request: its first line, the headers that are used, and the body of a push.
struct HTTPHead: Sendable {
    let method: String
    let path: String
    let query: [String: String]
    /// Names in the query without `=`: they have no value, not even an empty one.
    let namesAlone: Set<String>
    let client: WebGuard.Client
    /// Bytes of the body that follows.
    let bodyLength: Int
    let contentType: String?
    let signature: String?
    /// Only of a push; other bodies are discarded.
    var body: [UInt8] = []
    /// Whether the answer may be compressed.
    let takesGzip: Bool
    /// Whether another request may follow on the connection.
    let keepsAlive: Bool

    init(_ bytes: [UInt8], lines: [Range<Int>], limits: WebLimits, userHeader: String? = nil)
        throws(HTTPRefusal)
    {
        guard let first = lines.first else { throw .malformed("it is empty") }
        let words = bytes[first].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(Self.isToken) else {
            throw .malformed("its first line is not a method, a path and HTTP/1.1")
        }
        method = String(decoding: words[0], as: UTF8.self)
        let version = String(decoding: words[2], as: UTF8.self)
        switch version {
        case "HTTP/1.0", "HTTP/1.1": break
        case _ where version.hasPrefix("HTTP/"): throw .version(version)
        default: throw .malformed("its first line does not end with HTTP/1.1")
        }
        (path, query, namesAlone) = try Self.target(words[1])

        let headers = try HTTPHeaders(bytes, lines: lines.dropFirst(), userHeader: userHeader)
        client = WebGuard.Client(
            host: headers[.host], origin: headers[.origin], site: headers[.site],
            authorization: headers[.authorization], user: headers.user)
        contentType = headers[.contentType]
        signature = headers[.signature]
        takesGzip = Gzip.isTaken(by: headers[.acceptEncoding])
        let isPush = path.hasPrefix(Self.pushes)
        bodyLength = try Self.bodyLength(headers, limit: isPush ? limits.push : limits.body)
        let connection = (headers[.connection] ?? "").lowercased().split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        keepsAlive = version == "HTTP/1.1" ? !connection.contains("close") : connection.contains("keep-alive")
    }

    private static let pushes = "/push/"
    /// Whether its body is used.
    var isPush: Bool { path.hasPrefix(Self.pushes) }

    /// Whether a method and a header's name may contain this byte.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The path and the query, both decoded.
    private static func target(
        _ bytes: ArraySlice<UInt8>
    ) throws(HTTPRefusal) -> (path: String, query: [String: String], namesAlone: Set<String>) {
        guard bytes.first == UInt8(ascii: "/"),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { throw .malformed("its path is not valid") }
        let parts = bytes.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var query: [String: String] = [:]
        var namesAlone: Set<String> = []
        if parts.count == 2 {
            for item in parts[1].split(separator: UInt8(ascii: "&")) {
                let pair = item.split(
                    separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                let name = try decoded(pair[0])
                let value = pair.count == 2 ? try decoded(pair[1]) : ""
                // Either value could be the one that was meant.
                guard query.updateValue(value, forKey: name) == nil else {
                    throw .malformed("a name comes twice in its query")
                }
                if pair.count == 1 { namesAlone.insert(name) }
            }
        }
        return (try decoded(parts[0]), query, namesAlone)
    }

    private static func decoded(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> String {
        guard let text = String(decoding: bytes, as: UTF8.self).removingPercentEncoding else {
            throw .malformed("its path or query is not UTF-8 in percent-encoding")
        }
        return text
    }

    private static func bodyLength(_ headers: HTTPHeaders, limit: Int) throws(HTTPRefusal) -> Int {
        guard headers[.transferEncoding] == nil else { throw .needsLength }
        guard let text = headers[.contentLength] else { return 0 }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .malformed("its Content-Length is not a number")
        }
        guard let length = Int(text), length <= limit else { throw .bodyTooLong(limit: limit) }
        return length
    }
}
