public import Foundation
import FoundationNetworking

/// Where a feed comes from: a file, or a server.
public enum FeedSource: Sendable, Equatable {
    case file(String)
    case server(URL)

    /// The largest feed that is accepted.
    public static let limit_bytes = 8 << 20

    public init(_ text: String) throws(ColorFeedError) {
        guard text.lowercased().hasPrefix("http://") || text.lowercased().hasPrefix("https://") else {
            self = .file(text)
            return
        }
        guard let url = URL(string: text), url.host?.isEmpty == false else {
            throw .settings("\"feed\" is \"\(text)\", which is no address. Write it as http://host/path.")
        }
        self = .server(url)
    }

    /// Fetches and reads the feed.
    public func fetch() async throws -> Feed {
        switch self {
        case .file(let path): try Feed(json: Self.contents(of: path), name: path)
        case .server(let url): try await Feed(json: Self.answer(of: url), name: url.absoluteString)
        }
    }

    private static func contents(of path: String) throws(ColorFeedError) -> Data {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            let exists = FileManager.default.fileExists(atPath: path)
            throw .unreadable(feed: path, reason: exists ? "permission was denied" : "there is no such file")
        }
        defer { try? handle.close() }
        let data: Data?
        do {
            data = try handle.read(upToCount: limit_bytes + 1)
        } catch {
            throw .unreadable(feed: path, reason: "it is not a plain file")
        }
        guard let data, !data.isEmpty else { throw .unreadable(feed: path, reason: "it is empty") }
        guard data.count <= limit_bytes else { throw .tooLarge(feed: path, limit: limit_bytes) }
        return data
    }

    private static func answer(of url: URL) async throws -> Data {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 20
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await session.data(from: url)
        } catch let error as URLError where error.code != .cancelled {
            throw ColorFeedError.unreadable(feed: url.absoluteString, reason: error.localizedDescription)
        }
        let code = (response as? HTTPURLResponse)?.statusCode ?? 200
        guard code == 200 else { throw ColorFeedError.status(feed: url.absoluteString, code: code) }
        guard data.count <= limit_bytes else {
            throw ColorFeedError.tooLarge(feed: url.absoluteString, limit: limit_bytes)
        }
        return data
    }
}
