/// The reverse-DNS name of an app, `com.example.ColorFeed`.
///
/// Two labels or more, of ASCII letters, digits, `-` and `_`, at most 255 bytes: Apple's bundle
/// identifiers fit, and the text is safe as a folder's name.
public struct AppIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let text: String

    /// Nil when `text` is not a reverse-DNS name.
    public init?(_ text: String) {
        guard isReverseDNS(text.utf8) else { return nil }
        self.text = text
    }

    /// The app of an event that concerns the host itself. `init?` refuses its text, so that no manifest can list it.
    public static let host = AppIdentifier(reserved: "host")

    /// The identifier in a history: an app's name, or the host's; nil when `text` is neither.
    public init?(recorded text: String) {
        if text == Self.host.text { self = .host } else { self.init(text) }
    }

    private init(reserved text: String) { self.text = text }

    public var description: String { text }
    public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// The reverse-DNS name of a task, `com.example.ColorFeed.refresh`; unique in a manifest.
///
/// An identifier that ends in an asterisk, `com.example.ColorFeed.export.*`, is a wildcard: it permits and handles every
/// identifier with other text in place of the asterisk. No task is requested or launched under the wildcard's own name.
public struct TaskIdentifier: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let text: String

    /// Nil when `text` is neither a reverse-DNS name nor a wildcard.
    public init?(_ text: String) {
        let stem = text.utf8.suffix(2).elementsEqual(".*".utf8) ? text.utf8.dropLast(2) : text.utf8[...]
        guard text.utf8.count <= Limits.identifierBytes, isReverseDNS(stem) else { return nil }
        self.text = text
    }

    /// The identifier of a task by its short name, `refresh` or `export.*`, in the manifest of `app`.
    public init?(_ name: String, of app: AppIdentifier) {
        self.init(Self.full(name, of: app.text))
    }

    /// The same as text, without a check that it is valid.
    public static func full(_ name: String, of app: String) -> String {
        (name.hasSuffix(".*") ? name.dropLast(2) : name[...]).utf8.contains(UInt8(ascii: "."))
            ? name : app + "." + name
    }

    public var isWildcard: Bool { text.utf8.last == UInt8(ascii: "*") }

    /// The wildcards that match it, the most specific first; none for a wildcard itself.
    public var wildcards: [TaskIdentifier] {
        guard !isWildcard else { return [] }
        var found: [TaskIdentifier] = []
        var stem = text[...]
        while let dot = stem.lastIndex(of: ".") {
            stem = stem[..<dot]
            // A wildcard has two labels or more before its asterisk, as an app's name has.
            guard stem.contains("."), let wildcard = TaskIdentifier(stem + ".*") else { break }
            found.append(wildcard)
        }
        return found
    }

    public var description: String { text }
    public static func < (a: Self, b: Self) -> Bool { a.text < b.text }
}

/// In one pass: a host reads thousands of names at its start, and so do its clients.
private func isReverseDNS(_ text: some Collection<UInt8>) -> Bool {
    guard text.count <= Limits.identifierBytes else { return false }
    var dots = 0
    var beginsLabel = true
    for byte in text {
        switch byte {
        case UInt8(ascii: ".") where !beginsLabel:
            dots += 1
            beginsLabel = true
        case UInt8(ascii: "-") where !beginsLabel, UInt8(ascii: "_") where !beginsLabel: break
        case _ where isLetterOrDigit(byte): beginsLabel = false
        default: return false
        }
    }
    return dots > 0 && !beginsLabel
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
