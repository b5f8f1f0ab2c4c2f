/// Which run for one time of `at`, event of `on` or turn of `repeat` it is, where `retry: { attempts }` counts them.
public struct Attempt: Sendable, Equatable, Codable {
    /// From 1 on.
    public let number: Int
    /// How many there are at most: not less than `number`.
    public let most: Int

    public init(_ number: Int, of most: Int) {
        self.number = number
        self.most = max(number, most)
    }

    private enum CodingKeys: String, CodingKey {
        case number
        case most = "of"
    }

    /// "attempt 2 of 3".
    public var phrase: String { "attempt \(number) of \(most)" }

    public var json: JSONValue { .object(["number": .integer(Int64(number)), "of": .integer(Int64(most))]) }

    /// Nil when it is none.
    public init?(json: JSONValue) {
        guard case .object(let members) = json, case .integer(let number)? = members["number"],
            case .integer(let most)? = members["of"], 1...1000 ~= number, number...1000 ~= most
        else { return nil }
        self.init(Int(number), of: Int(most))
    }
}
