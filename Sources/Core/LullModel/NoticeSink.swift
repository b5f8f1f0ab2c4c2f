/// What somebody can be told of.
public enum NoticeKind: String, Sendable, Codable, CaseIterable, Comparable {
    /// A run did not succeed, or a plugin can't be loaded.
    case failed
    /// A task has not been launched, or has not succeeded, by when it was expected.
    case overdue
    /// An app will become idle, or is.
    case idle
    /// The first success after a failure or a lateness that was told.
    case recovered
    /// A run printed something: cron's MAILTO.
    case output
    /// A run reports the push that it was launched for.
    case reported
    /// What an app tells people itself.
    case notification
    /// What stands in the manifest's files is not in force.
    case manifest

    /// Somebody has to do something about it: it is told before all else.
    public var isFailure: Bool { self == .failed || self == .overdue || self == .manifest }

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// What a sink is told of that does not say.
    public static let usual: Set<NoticeKind> = [
        .failed, .overdue, .idle, .recovered, .reported, .notification, .manifest,
    ]
}

/// Somebody who is told: one entry of `notify`.
public struct NoticeSink: Sendable, Hashable, Codable {
    public enum Target: Sendable, Hashable, Codable {
        /// Through sendmail(8).
        case mail(String)
        /// The notice comes on its standard input.
        case command([String])
        /// The notice is posted there. May hold a secret: it is shown nowhere but in the manifest.
        case webhook(String)
        case journal
        /// The desktop of the user whom the host runs as, through org.freedesktop.Notifications.
        case desktop
    }

    public var target: Target
    public var on: Set<NoticeKind>

    public init(_ target: Target, on: Set<NoticeKind> = NoticeKind.usual) {
        self.target = target
        self.on = on
    }

    /// As the history and `lull status` name it, without what may be secret; the same as long as its target is.
    public var name: String {
        switch target {
        case .mail(let address): "mail \(address)"
        case .command(let words):
            words.count == 1 ? "command \(words[0])" : "command \(words.first ?? "") \(mark)"
        case .webhook(let url): "webhook \(SecretURL.host(of: url)) \(mark)"
        case .journal: "journal"
        case .desktop: Self.desktopName
        }
    }

    /// Where an app's notifications are shown before any other sink is told.
    public static let desktopName = "desktop"

    /// Tells two targets apart that look the same.
    private var mark: String {
        switch target {
        case .command(let words): SecretURL.mark(of: words.joined(separator: "\n"))
        case .webhook(let url): SecretURL.mark(of: url)
        case .mail, .journal, .desktop: ""
        }
    }
}

/// What may be shown of an address that may hold a secret.
public enum SecretURL {
    /// Its host, without a name and a password before it.
    public static func host(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "?" }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        return String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "?")
    }

    /// Eight hexadecimal digits that tell it from others and lead back to nothing.
    public static func mark(of text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
        return "#" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// A dead man's switch: an address that is asked for as a sign of life, and alarms somebody when it is not.
public struct Heartbeat: Sendable, Hashable, Codable {
    /// May hold a secret, as a webhook's.
    public var url: String
    /// Whether a failure asks for `URL/fail`; else it only is no sign of life.
    public var tellsFailures: Bool
    /// Of the host's: how often it says that it lives.
    public var every: Duration

    public init(url: String, tellsFailures: Bool = false, every: Duration = .minutes(5)) {
        self.url = url
        self.tellsFailures = tellsFailures
        self.every = every
    }
}

/// What an operator expects of a task: at least so many runs that succeed in any span of this length.
public struct Expectation: Sendable, Hashable, Codable {
    public var count: Int
    public var span: Duration

    public init(count: Int, span: Duration) {
        self.count = count
        self.span = span
    }

    /// A history keeps the times of so many successes of a task.
    public static let mostCount = 24
}
