import LullModel

/// A notification that was added.
struct AddedNotification: Sendable {
    let app: AppIdentifier
    let identifier: String
    /// The notification that it replaced, to wait again.
    let replaced: PendingNotification?
}
