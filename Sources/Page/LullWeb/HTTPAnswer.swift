import Foundation

/// An answer's bytes.
enum HTTPAnswer {
    /// `withBody` is false for a HEAD request; `closes`: nothing follows on the connection.
    static func bytes(
        _ reply: WebReply, withBody: Bool = true, takesGzip: Bool = false, closes: Bool
    ) -> Data {
        let packed = takesGzip ? Gzip.packed(reply.body) : nil
        let body = packed ?? reply.body
        var headers = [("Content-Type", reply.contentType), ("Content-Length", String(body.count))]
        if packed != nil { headers.append(("Content-Encoding", "gzip")) }
        if let allow = reply.allow { headers.append(("Allow", allow)) }
        if let wait = reply.wait {
            headers.append(("Retry-After", String(max(1, (wait.milliseconds + 999) / 1000))))
        }
        if reply.status == 401 { headers.append(("WWW-Authenticate", "Bearer")) }
        if closes { headers.append(("Connection", "close")) }
        return head(reply.status, headers) + (withBody ? body : Data())
    }

    /// The head before events, which end with the connection.
    static var liveHead: Data { head(200, [("Content-Type", "text/event-stream"), ("Connection", "close")]) }

    static func refusal(_ refusal: HTTPRefusal) -> Data {
        bytes(.refusal(refusal.status, refusal.message), closes: true)
    }

    private static func head(_ status: Int, _ headers: [(name: String, value: String)]) -> Data {
        let lines = ([("Date", HTTPDate.now)] + headers + WebReply.headers).map {
            "\($0.name): \($0.value)\r\n"
        }.joined()
        return Data("HTTP/1.1 \(status) \(phrase(status))\r\n\(lines)\r\n".utf8)
    }

    private static func phrase(_ status: Int) -> String {
        [
            200: "OK", 202: "Accepted", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
            404: "Not Found",
            405: "Method Not Allowed", 408: "Request Timeout", 409: "Conflict", 411: "Length Required",
            413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
            429: "Too Many Requests", 431: "Request Header Fields Too Large",
            503: "Service Unavailable", 505: "HTTP Version Not Supported",
        ][status] ?? "Internal Server Error"
    }
}
