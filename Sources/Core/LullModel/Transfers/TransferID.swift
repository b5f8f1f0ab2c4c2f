/// The number of a transfer, unique in a history and never used again; people write it `t17`.
public struct TransferID: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }

    /// Nil when `text` is not a `t` and a number.
    public init?(_ text: String) {
        guard text.utf8.first == UInt8(ascii: "t"),
            text.utf8.dropFirst().allSatisfy({ (48...57).contains($0) }),
            let number = UInt64(text.dropFirst()), number > 0
        else { return nil }
        self.number = number
    }

    public init(from decoder: any Decoder) throws { number = try UInt64(from: decoder) }
    public func encode(to encoder: any Encoder) throws { try number.encode(to: encoder) }
    public var description: String { "t\(number)" }
    public static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}
