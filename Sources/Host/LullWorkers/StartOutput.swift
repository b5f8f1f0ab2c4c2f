/// The first bytes that a plugin prints while it starts.
///
/// They belong to no run, so they are not kept; but if the plugin ends during its start, they say why.
struct StartOutput {
    private static let limit = 8 << 10
    private var bytes: [UInt8] = []

    mutating func append(_ more: [UInt8]) {
        bytes += more.prefix(Self.limit - bytes.count)
    }

    /// The text, line by line.
    var lines: [String] {
        bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}
