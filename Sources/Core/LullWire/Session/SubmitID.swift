/// Names a submit of a plugin, unique in its host.
public struct SubmitID: Sendable, Hashable {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
}
