import LullModel

/// A notification that was added.
struct AddedNotification: Sendable {
    let app: AppIdentifier
    let identifier: String
    /// What it replaced, to wait again.
    let replaced: PendingNotification?
}
