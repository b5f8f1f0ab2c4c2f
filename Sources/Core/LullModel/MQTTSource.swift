/// `push: { mqtt }` of an app: the broker whose messages are its pushes.
public struct MQTTSource: Sendable, Hashable, Codable {
    /// The broker's name or address.
    public var host: String
    public var port: Int
    /// Whether the connection is encrypted (`mqtts://`).
    public var isEncrypted: Bool
    /// Topic filters (MQTT 3.1.1, section 4.7).
    public var topics: [String]
    public var user: String?
    /// The absolute path of the file whose first line is the password.
    public var passwordFile: String?
    /// The absolute path of the certificates that verify the broker's; nil: the system's.
    public var caFile: String?
    /// Whether its messages are urgent pushes.
    public var isUrgent: Bool

    public init(
        host: String, port: Int? = nil, isEncrypted: Bool = false, topics: [String] = [], user: String? = nil,
        passwordFile: String? = nil, caFile: String? = nil, isUrgent: Bool = false
    ) {
        self.host = host
        self.port = port ?? (isEncrypted ? 8883 : 1883)
        self.isEncrypted = isEncrypted
        self.topics = topics
        self.user = user
        self.passwordFile = passwordFile
        self.caFile = caFile
        self.isUrgent = isUrgent
    }

    /// `mqtt://broker`, `mqtts://broker:8884`, `mqtt://[::1]:1883`; nil: `address` is no address of a broker.
    public init?(address: String) {
        let parts = address.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["mqtt", "mqtts"].contains(parts[0]) else { return nil }
        var host = parts[1]
        var rest = Substring()
        if host.first == "[" {
            guard let end = host.firstIndex(of: "]") else { return nil }
            rest = host[host.index(after: end)...]
            host = host[host.index(after: host.startIndex)..<end]
        } else if let colon = host.firstIndex(of: ":") {
            rest = host[colon...]
            host = host[..<colon]
        }
        var port: Int?
        if !rest.isEmpty {
            guard rest.first == ":", let number = Int(rest.dropFirst()), (1...65535).contains(number) else {
                return nil
            }
            port = number
        }
        guard !host.isEmpty, host.utf8.count <= 253,
            host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/@?#[]\"\\".utf8.contains($0) })
        else { return nil }
        self.init(host: String(host), port: port, isEncrypted: parts[0] == "mqtts")
    }

    public var address: String {
        (isEncrypted ? "mqtts://" : "mqtt://") + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
    }

    /// Whether it is a valid topic filter: `+` is a whole level, `#` the last one.
    public static func isFilter(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 1024, !text.utf8.contains(0) else { return false }
        let levels = text.split(separator: "/", omittingEmptySubsequences: false)
        return levels.enumerated().allSatisfy { index, level in
            level == "#" ? index == levels.count - 1 : level == "+" || !level.contains { "#+".contains($0) }
        }
    }
}
