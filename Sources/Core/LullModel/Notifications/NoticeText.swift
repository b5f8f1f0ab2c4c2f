/// A text of an app for people. It is foreign text, which the host does not trust.
public struct NoticeText: Sendable, Hashable, Codable {
    /// How urgent it is; the values of Apple's `UNNotificationInterruptionLevel`.
    public enum Level: UInt8, Sendable, Codable, CaseIterable {
        case passive = 0
        case active = 1
        case timeSensitive = 2
        case critical = 3
    }

    public var title: String
    public var subtitle: String
    public var body: String
    public var level: Level

    public init(title: String = "", subtitle: String = "", body: String = "", level: Level = .active) {
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.level = level
    }

    /// Whether there is nothing to show: of such a notification only the badge counts.
    public var isEmpty: Bool { title.isEmpty && subtitle.isEmpty && body.isEmpty }

    /// The part that is shown where there is room for one line.
    public var head: String { [title, subtitle, body].first { !$0.isEmpty } ?? "" }
}
