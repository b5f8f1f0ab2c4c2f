/// What the manifest says of the transfers of an app.
public struct TransferRules: Sendable, Hashable, Codable {
    /// Transfers of the app under way at once.
    public var atOnce: Int
    /// Bytes a second, of all of the app's transfers together; nil: as fast as it goes.
    public var rate: Int64?
    /// Names of hosts that may be transferred with, `*.example.com` for all below; empty: any.
    public var hosts: [String]
    /// Bytes of one file.
    public var maxSize: Int64

    public init(
        atOnce: Int = 4, rate: Int64? = nil, hosts: [String] = [], maxSize: Int64 = TransferRules.usualSize
    ) {
        self.atOnce = atOnce
        self.rate = rate
        self.hosts = hosts
        self.maxSize = maxSize
    }

    public static let usualSize: Int64 = 10 << 30
    /// What the manifest may set `at_once` to.
    public static let mostAtOnce = 100

    /// Why what is to come has no room in the app's folder.
    public static func shortage(toCome: Int64, room: Int64, remedy: String) -> String {
        "\(Phrase.size(max(0, room))) is left of the app's `limits: { disk }`, and \(toCome > 0 ? Phrase.size(toCome) : "more") is to come: "
            + "delete what it does not need in its folder, or \(remedy)"
    }

    /// The task of which an app's transfers have the constraints, and whose runs tell the app of them.
    public static func task(of app: AppIdentifier) -> TaskIdentifier? {
        TaskIdentifier(app.text + ".transfers")
    }

    /// Whether `hosts` may hold the text: a name or an address, or `*.` and a name.
    public static func isHostPattern(_ text: String) -> Bool {
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        guard !name.isEmpty, name.utf8.count <= 253 else { return false }
        let bytes = Array(name.utf8)
        func isHex(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte | 32) }
        // An address of IPv6, as it stands between the brackets of a URL.
        if bytes.contains(UInt8(ascii: ":")) {
            let colons = bytes.count { $0 == UInt8(ascii: ":") }
            return name.count == text.count && (2...7).contains(colons)
                && bytes.allSatisfy { isHex($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        }
        return bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy {
            label in
            (1...63).contains(label.count) && label.first != UInt8(ascii: "-")
                && label.last != UInt8(ascii: "-")
                && label.allSatisfy { byte in
                    (97...122).contains(byte | 32) || (48...57).contains(byte)
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
        }
    }

    /// How a host may be transferred with.
    public enum Permission: Sendable {
        /// Its own name is permitted, or any is.
        case byName
        /// As one of many, of which somebody else says where they lead: not to this machine.
        case byPattern
    }

    /// Whether a host by this name may be transferred with. An address of IPv6 may stand in the brackets of a URL.
    public func permission(of host: String) -> Permission? {
        var name = host.lowercased()
        if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
        let patterns = hosts.map { $0.lowercased() }
        if patterns.isEmpty || patterns.contains(name) { return .byName }
        return patterns.contains {
            $0.hasPrefix("*.") && name.hasSuffix($0.dropFirst()) && name.utf8.count > $0.utf8.count - 1
        } ? .byPattern : nil
    }
}

/// The files of an app's transfers, in a folder of the app's own below its state folder.
public enum TransferFiles {
    /// In the app's state folder; only the app's user may look into it.
    public static let folder = ".transfers"

    /// What has come so far of a transfer; `stem` is the number of the transfer that began the file.
    public static func part(_ stem: UInt64) -> String { "\(stem).part" }
    /// What is known of the part: validator, length, status, headers. Written before the part's first byte.
    public static func side(_ stem: UInt64) -> String { "\(stem).json" }
    /// All of it.
    public static func done(_ stem: UInt64) -> String { "\(stem).done" }
    /// Whose file it is; nil: it is no part, nothing that is known of one, and nothing whole.
    public static func stem(of name: String) -> UInt64? {
        let stem = name.split(separator: ".", omittingEmptySubsequences: false).first.flatMap { UInt64($0) }
        return stem.flatMap { [part($0), side($0), side($0) + ".new", done($0)].contains(name) ? $0 : nil }
    }
    /// Whether a name is one that a worker may have given to a file that it has taken over for an upload.
    public static func isUpload(_ name: String) -> Bool {
        name.hasPrefix("up-") && name.utf8.count <= 64
            && name.utf8.dropFirst(3).allSatisfy {
                ($0 | 32) >= 97 && ($0 | 32) <= 122 || (48...57).contains($0) || $0 == 45
            }
    }
}
