/// The notifications of one app, as `lull notifications` lists them.
public struct NotificationReport: Sendable, Equatable, Codable {
    public struct Entry: Sendable, Equatable, Codable {
        public var notification: AppNotification
        /// When it is due or was delivered; nil: never.
        public var time: WallTime?

        public init(_ notification: AppNotification, time: WallTime?) {
            (self.notification, self.time) = (notification, time)
        }
    }

    public var app: AppIdentifier
    /// Whether jobs.yaml permits notifications.
    public var mayNotify: Bool
    public var badge: Int64
    /// In the order in which they are due.
    public var pending: [Entry]
    /// In the order in which they were delivered.
    public var delivered: [Entry]

    public init(
        app: AppIdentifier, mayNotify: Bool, badge: Int64, pending: [Entry], delivered: [Entry]
    ) {
        self.app = app
        self.mayNotify = mayNotify
        self.badge = badge
        self.pending = pending
        self.delivered = delivered
    }
}
