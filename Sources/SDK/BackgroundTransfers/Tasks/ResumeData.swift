import Foundation
import FoundationNetworking

/// The data for `downloadTask(withResumeData:)`: the number and the request of a transfer that was cancelled or has failed. The
/// host keeps the bytes that it has received.
///
/// A property list, as Apple's is, and with the keys of Apple's that apps are known to read.
struct ResumeData: Sendable {
    private enum Key {
        static let mark = "LullTransfer"
        static let method = "LullMethod"
        static let headers = "LullHeaders"
        static let url = "NSURLSessionDownloadURL"
        static let received = "NSURLSessionResumeBytesReceived"
    }

    let number: UInt64
    let request: URLRequest
    let data: Data?

    init(_ number: UInt64, _ request: URLRequest?, received: Int64?) {
        self.number = number
        self.request = request ?? URLRequest(url: URL(fileURLWithPath: "/"))
        let list: [String: Any] = [
            Key.mark: String(number), Key.method: self.request.httpMethod ?? "GET",
            Key.headers: self.request.allHTTPHeaderFields ?? [:],
            Key.url: self.request.url?.absoluteString ?? "", Key.received: received ?? 0,
        ]
        data = try? PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    }

    /// Nil if the data was not made here.
    init?(_ data: Data) {
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let values = list as? [String: Any],
            let number = (values[Key.mark] as? String).flatMap({ UInt64($0) }), number > 0,
            let url = (values[Key.url] as? String).flatMap({ URL(string: $0) })
        else { return nil }
        self.number = number
        self.data = data
        var request = URLRequest(url: url)
        request.httpMethod = values[Key.method] as? String
        request.allHTTPHeaderFields = values[Key.headers] as? [String: String]
        self.request = request
    }
}
