import Foundation

/// The `settings` of the app in `jobs.yaml`: where the feed is, and where its entries are kept.
public struct ColorFeedSettings: Sendable, Equatable {
    /// A path, or an http(s) address.
    public var feed: String
    /// The path of the SQLite file.
    public var database: String

    public init(feed: String, database: String) {
        self.feed = feed
        self.database = database
    }

    /// Reads the settings' JSON; unknown keys and other types are refused, so that a typo can't pass for a default.
    public init(json: String, stateDirectory: String) throws(ColorFeedError) {
        let keys: [String: Value]
        do {
            keys = try JSONDecoder().decode([String: Value].self, from: Data(json.utf8))
        } catch {
            throw .settings("they are not a map of keys to values.")
        }
        // The worker adds "lull".
        let known = ["feed", "database", "lull"]
        if let stray = keys.keys.sorted().first(where: { !known.contains($0) }) {
            throw .settings("unknown key \"\(stray)\". Known are \"feed\" and \"database\".")
        }
        guard let feed = try Self.text("feed", in: keys) else {
            throw .settings("\"feed\" is missing. Name a file or an http(s) address, as `feed: feed.json`.")
        }
        self.feed = feed
        database = try Self.text("database", in: keys) ?? stateDirectory + "/feed.sqlite"
    }

    private static func text(_ key: String, in keys: [String: Value]) throws(ColorFeedError) -> String? {
        switch keys[key] {
        case nil: return nil
        case .text(let text) where !text.isEmpty: return text
        case .text, .other: throw .settings("\"\(key)\" is not a text with something in it.")
        }
    }

    private enum Value: Decodable {
        case text(String)
        case other

        init(from decoder: any Decoder) throws {
            let text = try? decoder.singleValueContainer().decode(String.self)
            self = text.map(Value.text) ?? .other
        }
    }
}
