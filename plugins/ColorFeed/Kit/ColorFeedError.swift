/// The errors of ColorFeed; each case says where, and its message how to fix it.
public enum ColorFeedError: Error, Equatable, CustomStringConvertible {
    case settings(String)
    case unreadable(feed: String, reason: String)
    case status(feed: String, code: Int)
    case tooLarge(feed: String, limit: Int)
    case malformed(feed: String, place: String, finding: String)
    case database(path: String, reason: String)

    public var description: String {
        switch self {
        case .settings(let finding):
            "settings of ColorFeed: \(finding)"
        case .unreadable(let feed, let reason):
            "feed \"\(feed)\" can't be read: \(reason). "
                + "Correct \"feed\" in the app's settings, or bring it back."
        case .status(let feed, let code):
            "feed \"\(feed)\": the server answered \(code) instead of 200. Look at the address, or try later."
        case .tooLarge(let feed, let limit):
            "feed \"\(feed)\" is larger than \(limit) bytes. Offer one with fewer entries."
        case .malformed(let feed, let place, let finding):
            "feed \"\(feed)\": \(place): \(finding)"
        case .database(let path, let reason):
            "database \"\(path)\": \(reason)"
        }
    }
}
