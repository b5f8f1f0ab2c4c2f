/// The number of a background task that an app has begun with `beginBackgroundTask`.
///
/// Apple: UIKit, `UIBackgroundTaskIdentifier`.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number; 0 for ``invalid``.
    public let rawValue: Int

    /// Makes an identifier of a number; it names a background task only if `beginBackgroundTask` gave it.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// No background task: none was begun, or there is no time for one.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
