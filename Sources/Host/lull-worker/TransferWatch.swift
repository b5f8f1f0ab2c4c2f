import Synchronization

/// The plugin's handler that is called when its transfers may have changed.
final class TransferWatch: Sendable {
    struct Handler: Sendable {
        let function: @convention(c) @Sendable (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Void
        let context: PluginContext
    }

    private let handler = Mutex<Handler?>(nil)

    func setHandler(_ handler: Handler?) { self.handler.withLock { $0 = handler } }

    /// Called on the control thread, without the lock.
    func tell(of session: String) {
        guard let handler = handler.withLock({ $0 }) else { return }
        session.withCString { handler.function(handler.context.pointer, $0) }
    }
}
