/// What a plugin prints while it starts, the first bytes of it.
///
/// It belongs to no run, so nobody keeps it; but if the plugin ends there and then, it says why.
struct StartOutput {
    private static let limit = 8 << 10
    private var bytes: [UInt8] = []

    mutating func append(_ more: [UInt8]) {
        bytes += more.prefix(Self.limit - bytes.count)
    }

    /// What stands there, line by line.
    var lines: [String] {
        bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}
