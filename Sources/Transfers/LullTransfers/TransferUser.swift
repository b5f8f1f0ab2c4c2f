/// The Unix user that makes the transfers of an app.
public struct TransferUser: Sendable, Hashable, Codable {
    public let number: UInt32
    public let group: UInt32

    public init(number: UInt32, group: UInt32) {
        self.number = number
        self.group = group
    }
}
