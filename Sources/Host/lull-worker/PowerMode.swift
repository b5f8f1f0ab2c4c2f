import Synchronization

/// Whether the machine is to save power, and the plugin's handler for changes of that.
final class PowerMode: Sendable {
    struct Handler: Sendable {
        let function: @convention(c) @Sendable (UnsafeMutableRawPointer?, Bool) -> Void
        let context: PluginContext
    }

    private let state: Mutex<(isLow: Bool, handler: Handler?)>

    init(isLow: Bool) { state = Mutex((isLow, nil)) }

    var isLow: Bool { state.withLock { $0.isLow } }

    func setHandler(_ handler: Handler?) { state.withLock { $0.handler = handler } }

    /// Called on the control thread, without the lock.
    func change(to isLow: Bool) {
        let handler = state.withLock { state -> Handler? in
            guard state.isLow != isLow else { return nil }
            state.isLow = isLow
            return state.handler
        }
        if let handler { handler.function(handler.context.pointer, isLow) }
    }
}
