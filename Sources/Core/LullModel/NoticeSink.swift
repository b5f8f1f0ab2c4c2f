/// The kinds of notices.
public enum NoticeKind: String, Sendable, Codable, CaseIterable, Comparable {
    /// A run did not succeed, or a plugin can't be loaded.
    case failed
    /// A task has not been launched, or has not succeeded, by when it was expected.
    case overdue
    /// An app will become idle, or is.
    case idle
    /// The first success after a failure or delay that was reported.
    case recovered
    /// A run printed something: cron's MAILTO.
    case output
    /// A run reports the push that it was launched for.
    case reported
    /// A notification of an app.
    case notification
    /// The current content of the manifest's files is not in force.
    case manifest

    /// Whether a person has to act: such notices are delivered first.
    public var isFailure: Bool { self == .failed || self == .overdue || self == .manifest }

    public static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The kinds that a sink receives by default.
    public static let usual: Set<NoticeKind> = [
        .failed, .overdue, .idle, .recovered, .reported, .notification, .manifest,
    ]
}

/// A receiver of notices: one entry of `notify`.
public struct NoticeSink: Sendable, Hashable, Codable {
    public enum Target: Sendable, Hashable, Codable {
        /// Through sendmail(8).
        case mail(String)
        /// The command gets the notice on its standard input.
        case command([String])
        /// The URL that notices are POSTed to. It may hold a secret: it is shown nowhere but in the manifest.
        case webhook(String)
        case journal
        /// The desktop of the host's user, through org.freedesktop.Notifications.
        case desktop
    }

    public var target: Target
    public var on: Set<NoticeKind>

    public init(_ target: Target, on: Set<NoticeKind> = NoticeKind.usual) {
        self.target = target
        self.on = on
    }

    /// Its name in the history and in `lull status`, without secrets; stable while the target is the same.
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

    /// The desktop's name: an app's notifications go there first, before any other sink.
    public static let desktopName = "desktop"

    /// Distinguishes two targets that look the same.
    private var mark: String {
        switch target {
        case .command(let words): SecretURL.mark(of: words.joined(separator: "\n"))
        case .webhook(let url): SecretURL.mark(of: url)
        case .mail, .journal, .desktop: ""
        }
    }
}

/// The parts of a possibly secret URL that may be shown.
public enum SecretURL {
    /// Its host, without a name and a password before it.
    public static func host(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return "?" }
        let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
        return String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "?")
    }

    /// A short hash: it distinguishes texts and does not reveal them.
    public static func mark(of text: String) -> String {
        let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01b3
        }
        let digits = String(UInt32(truncatingIfNeeded: hash ^ hash >> 32), radix: 16)
        return "#" + String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// A dead man's switch: a URL that is requested as a sign of life. Its service raises an alarm when requests stop.
public struct Heartbeat: Sendable, Hashable, Codable {
    /// May hold a secret, as a webhook's.
    public var url: String
    /// Whether a failure requests `URL/fail`; else a failure only sends no heartbeat.
    public var tellsFailures: Bool
    /// Of the host's heartbeat: its interval.
    public var every: Duration

    public init(url: String, tellsFailures: Bool = false, every: Duration = .minutes(5)) {
        self.url = url
        self.tellsFailures = tellsFailures
        self.every = every
    }
}

/// The success rate that an operator expects of a task: at least `count` successful runs in any span of length `span`.
public struct Expectation: Sendable, Hashable, Codable {
    public var count: Int
    public var span: Duration

    public init(count: Int, span: Duration) {
        self.count = count
        self.span = span
    }

    /// The most successes that may be expected: the history keeps the times of this many for a task.
    public static let mostCount = 24
}
