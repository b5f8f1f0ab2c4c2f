import DequeModule
import LullModel

/// Which notifications were added lately, so that one can be withdrawn: its plugin may have stopped waiting for the answer.
struct RecentNotifications: Sendable {
    struct Added: Sendable {
        let app: AppIdentifier
        let identifier: String
        /// What it replaced, to wait again.
        let replaced: PendingNotification?
    }

    private static let limit = 1024
    private var added: [Token: Added] = [:]
    private var order = Deque<Token>()

    mutating func note(_ notification: Added, _ token: Token) {
        if added.updateValue(notification, forKey: token) == nil { order.append(token) }
        if order.count > Self.limit, let oldest = order.popFirst() { added[oldest] = nil }
    }

    mutating func take(_ token: Token) -> Added? { added.removeValue(forKey: token) }
}
