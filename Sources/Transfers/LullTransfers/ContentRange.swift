/// Which bytes of a file an answer holds, and of how many: the header `Content-Range` (RFC 9110, 14.4).
public struct ContentRange: Sendable, Equatable {
    /// Nil: of none, as an answer 416 says.
    public let bytes: ClosedRange<Int64>?
    /// Nil: the server does not say.
    public let total: Int64?

    /// Nil when it does not follow the standard.
    public init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        guard let total = Self.known(parts[1], unknown: "*") else { return nil }
        self.total = total.value
        if parts[0] == "*" {
            bytes = nil
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.number($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last,
            total.value.map({ last < $0 }) ?? true
        else { return nil }
        bytes = first...last
    }

    private static func known(_ text: Substring, unknown: Substring) -> (value: Int64?, Void)? {
        if text == unknown { return (nil, ()) }
        return number(text).map { ($0, ()) }
    }

    private static func number(_ text: Substring) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int64(text)
    }
}
