/// An app's order of a transfer: Apple's URLRequest and the configuration of its session.
public struct TransferOrder: Sendable, Hashable, Codable {
    public enum Direction: String, Sendable, Codable, CaseIterable { case download, upload }

    /// The identifier of the session that it belongs to.
    public var session: String
    /// Its number in the session, from 1: Apple's `taskIdentifier`.
    public var ordinal: UInt64
    public var direction: Direction
    public var method: String
    /// `http` or `https`.
    public var url: String
    public var headers: [TransferHeader]
    /// The body that a download sends.
    public var body: TransferBody?
    /// Of an upload: the name of the file in the transfers' folder (`TransferFiles`) that is sent.
    public var file: String?
    /// The app's own label: Apple's `taskDescription`.
    public var label: String?
    /// Whether it waits for a moment at which it costs nothing.
    public var isDiscretionary: Bool
    public var allowsExpensive: Bool
    public var allowsConstrained: Bool
    /// Whether the app is launched when all of the session's transfers have ended, and to answer a challenge.
    public var sendsLaunchEvents: Bool
    /// Whether the app answers challenges; else each is handled by default.
    public var asksChallenges: Bool
    public var earliestBegin: WallTime?
    /// The app's own estimate in bytes; nil: none.
    public var expectedToSend: Int64?
    public var expectedToReceive: Int64?
    /// An attempt without a byte for this long is over.
    public var idleLimit: Duration
    /// The transfer fails for good this long after it was asked for.
    public var wholeLimit: Duration
    /// The cancelled transfer whose kept part it resumes.
    public var resumes: TransferID?

    public init(
        session: String, ordinal: UInt64, direction: Direction, method: String = "GET", url: String,
        headers: [TransferHeader] = [], body: TransferBody? = nil, file: String? = nil, label: String? = nil,
        isDiscretionary: Bool = false, allowsExpensive: Bool = true, allowsConstrained: Bool = true,
        sendsLaunchEvents: Bool = true, asksChallenges: Bool = false, earliestBegin: WallTime? = nil,
        expectedToSend: Int64? = nil, expectedToReceive: Int64? = nil, idleLimit: Duration = .seconds(60),
        wholeLimit: Duration = .days(7), resumes: TransferID? = nil
    ) {
        self.session = session
        self.ordinal = ordinal
        self.direction = direction
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.file = file
        self.label = label
        self.isDiscretionary = isDiscretionary
        self.allowsExpensive = allowsExpensive
        self.allowsConstrained = allowsConstrained
        self.sendsLaunchEvents = sendsLaunchEvents
        self.asksChallenges = asksChallenges
        self.earliestBegin = earliestBegin
        self.expectedToSend = expectedToSend
        self.expectedToReceive = expectedToReceive
        self.idleLimit = idleLimit
        self.wholeLimit = wholeLimit
        self.resumes = resumes
    }

    /// The URL as people may read it.
    public var shownURL: String { Self.shown(url) }

    /// A URL as people may read it: without user, password and query, which may hold secrets.
    static func shown(_ url: String) -> String {
        let shown = url.prefix { $0 != "?" && $0 != "#" }
        let slashes = shown.firstIndex(of: "/").flatMap {
            shown.index($0, offsetBy: 2, limitedBy: shown.endIndex)
        }
        guard let slashes else { return String(shown) }
        let authority = shown[slashes...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(shown) }
        return String(shown[..<slashes] + shown[shown.index(after: at)...])
    }

    /// A copy without possible secrets: headers, body, and the parts of the URL that are not shown.
    public var withoutSecrets: TransferOrder {
        var order = self
        order.url = shownURL
        order.headers = []
        order.body = nil
        return order
    }

    private enum CodingKeys: String, CodingKey {
        case session, ordinal, direction, method, url, headers, body, file, label, resumes
        case isDiscretionary = "discretionary"
        case allowsExpensive = "expensive"
        case allowsConstrained = "constrained"
        case sendsLaunchEvents = "launches"
        case asksChallenges = "challenges"
        case earliestBegin = "earliest_begin"
        case expectedToSend = "to_send"
        case expectedToReceive = "to_receive"
        case idleLimit = "idle_limit"
        case wholeLimit = "whole_limit"
    }
}

/// One header of a request or an answer.
public struct TransferHeader: Sendable, Hashable, Codable {
    public var name: String
    public var value: String
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The bytes that a request sends, coded as base64.
public struct TransferBody: Sendable, Hashable, Codable {
    public var bytes: [UInt8]
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public init(from decoder: any Decoder) throws {
        let text = try String(from: decoder)
        guard let bytes = Base64.decode(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a body is not base64"))
        }
        self.bytes = bytes
    }
    public func encode(to encoder: any Encoder) throws { try Base64.encode(bytes).encode(to: encoder) }
}
