/// The reverse-DNS name of an app, `com.example.ColorFeed`.
///
/// Two labels or more, of ASCII letters, digits, `-` and `_`, at most 255 bytes: Apple's bundle
/// identifiers fit, and the text is safe as a folder's name.
public struct AppIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let text: String

    /// Nil when `text` is not a reverse-DNS name.
    public init?(_ text: String) {
        guard isReverseDNS(text) else { return nil }
        self.text = text
    }

    /// What stands in an event that concerns the host itself and no app; `init?` refuses its text, so that no
    /// manifest can list it.
    public static let host = AppIdentifier(reserved: "host")

    /// As a history has it: an app's name, or the host's; nil when `text` is neither.
    public init?(recorded text: String) {
        if text == Self.host.text { self = .host } else { self.init(text) }
    }

    private init(reserved text: String) { self.text = text }

    public var description: String { text }
    public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// The reverse-DNS name of a task, `com.example.ColorFeed.refresh`; unique in a manifest.
public struct TaskIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let text: String

    /// Nil when `text` is not a reverse-DNS name.
    public init?(_ text: String) {
        guard isReverseDNS(text) else { return nil }
        self.text = text
    }

    /// The identifier that the short name of a task stands for in the manifest of `app`.
    public init?(_ name: String, of app: AppIdentifier) {
        self.init(name.contains(".") ? name : app.text + "." + name)
    }

    public var description: String { text }
    public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

private func isReverseDNS(_ text: String) -> Bool {
    guard text.utf8.count <= Limits.identifierBytes else { return false }
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2
        && labels.allSatisfy { label in
            guard let first = label.first, isLetterOrDigit(first) else { return false }
            return label.allSatisfy {
                isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
        }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: false
    }
}

/// The number of a run, unique in a history and never used again.
public struct RunID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public init(from decoder: any Decoder) throws { number = try UInt64(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
    public var description: String { String(number) }
    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

/// The number of a request, unique in a history and never used again.
public struct RequestID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public init(from decoder: any Decoder) throws { number = try UInt64(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
    public var description: String { String(number) }
    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}

extension AppIdentifier: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try String(from: decoder)
        guard let identifier = Self(recorded: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not a reverse-DNS name")
            )
        }
        self = identifier
    }
    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension TaskIdentifier: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try String(from: decoder)
        guard let identifier = Self(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not a reverse-DNS name")
            )
        }
        self = identifier
    }
    public func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}
