/// The number of a run among those for one time of `at`, event of `on` or turn of `repeat`, which `retry: { attempts }` limits.
public struct Attempt: Sendable, Equatable, Codable {
    /// From 1 on.
    public let number: Int
    /// The most attempts that may be made; not less than `number`.
    public let most: Int

    public init(_ number: Int, of most: Int) {
        self.number = number
        self.most = max(number, most)
    }

    /// "attempt 2 of 3".
    public var phrase: String { "attempt \(number) of \(most)" }
}
