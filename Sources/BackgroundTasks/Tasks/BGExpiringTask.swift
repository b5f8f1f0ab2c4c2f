/// Lets `BGTask` conform to a protocol of the app's own that asks for Apple's `expirationHandler`, as code that
/// is tested with a stand-in for the task does.
///
/// Apple's property is a plain function; ours knows its actor, which a protocol written for Apple's does not ask
/// for. Swift picks this one only where the type asked for is the plain one.
public protocol BGExpiringTask: AnyObject {}

extension BGExpiringTask {
    /// As `BGTask.expirationHandler`, for a handler that belongs to no actor.
    @_disfavoredOverload
    public var expirationHandler: (() -> Void)? {
        get {
            guard let handler = (self as? BGTask)?.run.expirationHandler else { return nil }
            return { handler.call() }
        }
        set {
            (self as? BGTask)?.run.setExpirationHandler(
                newValue.map { handler in ExpirationHandler { handler() } })
        }
    }
}
