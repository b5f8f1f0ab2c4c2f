/// What an app says to people, in its own words: somebody else's text, whoever it is told to.
public struct NoticeText: Sendable, Hashable, Codable {
    /// How much it asks of whom it is shown to; the values of Apple's `UNNotificationInterruptionLevel`.
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

    /// There is nothing to show: of such a notification only the badge counts.
    public var isEmpty: Bool { title.isEmpty && subtitle.isEmpty && body.isEmpty }

    /// What stands for all of it where there is room for one line.
    public var head: String { [title, subtitle, body].first { !$0.isEmpty } ?? "" }
}
