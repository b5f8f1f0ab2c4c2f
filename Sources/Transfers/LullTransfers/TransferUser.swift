/// The Unix user as whom transfers of an app are made.
public struct TransferUser: Sendable, Hashable, Codable {
    public let number: UInt32
    public let group: UInt32

    public init(number: UInt32, group: UInt32) {
        self.number = number
        self.group = group
    }
}
