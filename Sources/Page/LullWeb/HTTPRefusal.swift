/// Why a request is not read to its end: after the answer the connection is closed.
enum HTTPRefusal: Error, Sendable, Equatable {
    case malformed(String)
    case tooSlow
    case needsLength
    case bodyTooLong(limit: Int)
    case lineTooLong(limit: Int)
    case headTooLong(limit: Int)
    case tooManyHeaders(limit: Int)
    case crowded
    case version(String)

    var status: Int {
        switch self {
        case .malformed: 400
        case .tooSlow: 408
        case .needsLength: 411
        case .bodyTooLong: 413
        case .lineTooLong: 414
        case .headTooLong, .tooManyHeaders: 431
        case .crowded: 503
        case .version: 505
        }
    }

    var message: String {
        switch self {
        case .malformed(let what): "This is not an HTTP request: \(what)."
        case .tooSlow: "The request was not complete in time. Send it at once."
        case .needsLength: "Chunked bodies are not supported. Send no body, or its Content-Length."
        case .bodyTooLong(let limit): "The body is longer than \(limit) bytes, the limit."
        case .lineTooLong(let limit):
            "The first line of the request is longer than \(limit) bytes. Ask for less."
        case .headTooLong(let limit): "The headers of the request are longer than \(limit) bytes. Send fewer."
        case .tooManyHeaders(let limit): "The request has more than \(limit) headers. Send fewer."
        case .crowded: "The page has reached its limit of connections. Try again soon."
        case .version(let text): "The page speaks HTTP/1.1, not \(text)."
        }
    }
}
