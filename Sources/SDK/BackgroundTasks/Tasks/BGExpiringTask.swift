/// Gives `BGTask` an `expirationHandler` that knows its actor, for code in the Swift 6 mode.
///
/// Apple's property is a plain function, which code in the Swift 5 mode sets and reads. Swift 6 picks that one only where the
/// plain type is asked for, as by a protocol of the app's own that has stand-ins for tasks in its tests.
public protocol BGExpiringTask: AnyObject {}

extension BGExpiringTask {
    /// Apple's own property, which a stand-in may have overridden.
    private static var plain: ReferenceWritableKeyPath<BGTask, (() -> Void)?> { \.expirationHandler }

    /// As `BGTask.expirationHandler`; it is called on its actor. Reading it gives a function that has to be awaited.
    @available(swift 6)
    public var expirationHandler: (@isolated(any) () -> Void)? {
        get {
            guard let task = self as? BGTask else { return nil }
            return task.run.isStandIn ? task[keyPath: Self.plain] : task.run.expirationHandler?.body
        }
        set {
            guard let task = self as? BGTask else { return }
            let handler = newValue.map(ExpirationHandler.init)
            guard task.run.isStandIn else { return task.run.setExpirationHandler(handler) }
            task[keyPath: Self.plain] = handler.map { handler in { handler.call() } }
        }
    }
}
