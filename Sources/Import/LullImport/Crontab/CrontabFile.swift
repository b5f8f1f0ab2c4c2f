/// A crontab to be read: its bytes, and its owner.
public struct CrontabFile: Sendable {
    public enum Format: Sendable, Equatable {
        /// `/etc/crontab` and the files of `/etc/cron.d`: the sixth field is the user.
        case system
        /// A crontab of `crontab -e`; nil: of the user who will run the host.
        case user(String?)
        /// One of both: the lines decide.
        case unknown
    }

    /// The path that notes about its lines give.
    public var path: String
    public var bytes: [UInt8]
    public var format: Format
    /// Its status at a place where cron looks; nil: it was named by hand, and is taken as it is.
    public var status: CrontabStatus?

    public init(
        path: String, bytes: [UInt8], format: Format = .unknown, status: CrontabStatus? = nil
    ) {
        self.path = path
        self.bytes = bytes
        self.format = format
        self.status = status
    }

    var name: String { String(path.split(separator: "/").last ?? path[...]) }

    /// The format by the path alone: cron looks for each at places of its own.
    public static func format(of path: String) -> Format {
        let parts = path.split(separator: "/").map(String.init)
        if path == "/etc/crontab" || parts.dropLast().last == "cron.d" { return .system }
        let spools = [
            ["var", "spool", "cron", "crontabs"], ["var", "spool", "cron"], ["var", "cron", "tabs"],
        ]
        if let name = parts.last, spools.contains(Array(parts.dropLast())) { return .user(name) }
        return .unknown
    }

    /// Larger than any crontab that cron would read.
    public static let limit = 4 << 20
    /// Longer than cron reads.
    static let lineLimit = 8 << 10
}
