import Foundation
import FoundationNetworking

extension TransferOrder {
    /// The order of a task of this session.
    init(
        _ request: URLRequest, ordinal: UInt64, of configuration: URLSessionConfiguration,
        isUpload: Bool = false
    ) {
        self.isUpload = isUpload
        self.ordinal = ordinal
        session = configuration.identifier ?? ""
        url = request.url?.absoluteString ?? ""
        // FoundationNetworking's default is GET, which uploads nothing.
        method = isUpload && request.httpMethod == "GET" ? nil : request.httpMethod
        body = isUpload ? nil : request.httpBody
        headers = Self.headers(of: request, configuration)
        isDiscretionary = configuration.isDiscretionary
        allowsExpensive = configuration.allowsExpensiveNetworkAccess && configuration.allowsCellularAccess
        allowsConstrained = configuration.allowsConstrainedNetworkAccess
        sendsLaunchEvents = configuration.sessionSendsLaunchEvents
        // 60 s is Apple's default: the request sets no limit of its own.
        let idle =
            request.timeoutInterval == 60
            ? configuration.timeoutIntervalForRequest : request.timeoutInterval
        idleLimitMilliseconds = Self.milliseconds(idle)
        wholeLimitMilliseconds = Self.milliseconds(configuration.timeoutIntervalForResource)
    }

    /// The request's headers, and those of the session's that the request lacks. Names are compared without case.
    private static func headers(
        of request: URLRequest, _ configuration: URLSessionConfiguration
    ) -> [Header] {
        var headers = request.allHTTPHeaderFields ?? [:]
        func add(_ name: String, _ value: String) {
            let isThere = headers.keys.contains { $0.lowercased() == name.lowercased() }
            if !isThere { headers[name] = value }
        }
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            add("\(name)", "\(value)")
        }
        let policy =
            request.cachePolicy == .useProtocolCachePolicy
            ? configuration.requestCachePolicy : request.cachePolicy
        switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
            add("Cache-Control", "no-cache")
        case .reloadRevalidatingCacheData: add("Cache-Control", "max-age=0")
        default: break
        }
        return headers.sorted { $0.key < $1.key }.map { Header(name: $0.key, value: $0.value) }
    }

    /// At least 1, at most the 30 days that the host takes; 0 for a time that is not above 0.
    private static func milliseconds(_ seconds: TimeInterval) -> Int64 {
        guard seconds > 0 else { return 0 }
        let longest: TimeInterval = 30 * 86_400
        return max(1, Int64(min(seconds, longest) * 1000))
    }
}

extension URLRequest {
    /// The request of an earlier process; nil if its URL is invalid.
    init?(_ order: TransferOrder) {
        guard let url = URL(string: order.url) else { return nil }
        self.init(url: url)
        httpMethod = order.method
        for header in order.headers { addValue(header.value, forHTTPHeaderField: header.name) }
        httpBody = order.body
    }
}

extension HTTPURLResponse {
    /// Headers that come more than once are joined by commas, as HTTP has it.
    convenience init?(_ record: TransferRecord) {
        guard let url = URL(string: record.url ?? record.order.url) else { return nil }
        let fields = Dictionary(record.headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
        self.init(url: url, statusCode: record.status, httpVersion: "HTTP/1.1", headerFields: fields)
    }
}
