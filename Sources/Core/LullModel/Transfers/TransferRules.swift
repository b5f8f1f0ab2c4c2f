/// The manifest's rules for the transfers of an app.
public struct TransferRules: Sendable, Hashable, Codable {
    /// Transfers of the app under way at once.
    public var atOnce: Int
    /// Bytes a second of all transfers of the app together; nil: no limit.
    public var rate: Int64?
    /// The hosts that transfers may connect to, `*.example.com` for all subdomains; empty: any.
    public var hosts: [String]
    /// The most bytes of one file.
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
    /// The most that the manifest may set `at_once` to.
    public static let mostAtOnce = 100

    /// The reason why a transfer has no room in the app's folder.
    public static func shortage(toCome: Int64, room: Int64, remedy: String) -> String {
        "\(Phrase.size(max(0, room))) is left of the app's `limits: { disk }`, and \(toCome > 0 ? Phrase.size(toCome) : "more") is to come: "
            + "delete what it does not need in its folder, or \(remedy)"
    }

    /// The task whose constraints apply to an app's transfers, and whose runs notify the app of results.
    public static func task(of app: AppIdentifier) -> TaskIdentifier? {
        TaskIdentifier(app.text + ".transfers")
    }

    /// Whether the text is valid in `hosts`: a name or an address, or `*.` and a name.
    public static func isHostPattern(_ text: String) -> Bool {
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text[...]
        guard !name.isEmpty, name.utf8.count <= 253 else { return false }
        let bytes = Array(name.utf8)
        func isHex(_ byte: UInt8) -> Bool { (48...57).contains(byte) || (97...102).contains(byte | 32) }
        // An IPv6 address, as between the brackets of a URL.
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

    /// How transfers to a host are permitted.
    public enum Permission: Sendable {
        /// Its own name is permitted, or any is.
        case byName
        /// Only a pattern matches it. Others control the addresses of such names, so they must not lead to this machine.
        case byPattern
    }

    /// How transfers to a host of this name are permitted; nil: they are not. An IPv6 address may have the brackets of a URL.
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
    /// The name of the folder in the app's state folder; only the app's user may read it.
    public static let folder = ".transfers"

    /// The part of a transfer that has arrived; `stem` is the number of the transfer that began the file.
    public static func part(_ stem: UInt64) -> String { "\(stem).part" }
    /// The metadata of the part: validator, length, status, headers. Written before the part's first byte.
    public static func side(_ stem: UInt64) -> String { "\(stem).json" }
    /// The complete file.
    public static func done(_ stem: UInt64) -> String { "\(stem).done" }
    /// The number of the transfer that a file belongs to; nil: the name is none of the above.
    public static func stem(of name: String) -> UInt64? {
        let stem = name.split(separator: ".", omittingEmptySubsequences: false).first.flatMap { UInt64($0) }
        return stem.flatMap { [part($0), side($0), side($0) + ".new", done($0)].contains(name) ? $0 : nil }
    }
    /// Whether a worker may have given this name to a file for an upload.
    public static func isUpload(_ name: String) -> Bool {
        name.hasPrefix("up-") && name.utf8.count <= 64
            && name.utf8.dropFirst(3).allSatisfy {
                ($0 | 32) >= 97 && ($0 | 32) <= 122 || (48...57).contains($0) || $0 == 45
            }
    }
}
