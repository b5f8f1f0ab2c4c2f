import CLullEntry
import Synchronization

/// The background tasks of the app: as long as one is open, the app is not suspended between its runs.
///
/// The host calls back with an activity's number when the app's time is nearly up. The call may come before `begin` has
/// returned, which then calls the handler, or after `end`, when there is no handler to call.
final class Activities: Sendable {
    typealias Handler = @Sendable () -> Void

    private struct State: Sendable {
        var open: [UInt64: Handler] = [:]
        /// Numbers that expired before `begin` had stored their handler.
        var early: Set<UInt64> = []
        /// The last number of our own, for a process that is no worker, or one that offers no activities.
        var last: UInt64 = 1 << 40
    }
    private let state = Mutex(State())

    /// Begins an activity; 0 when the app has no time or too many of them. The handler is called on a thread that
    /// it must not block.
    func begin(_ name: String, in registry: Registry, handler: @escaping Handler) -> UInt64 {
        let given = registry.host?.beginActivity(name, for: registry)
        if given == 0 { return 0 }
        let (number, isExpired) = state.withLock { state in
            if given == nil { state.last += 1 }
            let number = given ?? state.last
            state.open[number] = handler
            return (number, state.early.remove(number) != nil)
        }
        if isExpired { handler() }
        return number
    }

    /// Ends an activity. The host also gets a number that is not open, and records it.
    func end(_ number: UInt64, in registry: Registry) {
        lull_entry_save_defaults()
        registry.host?.endActivity(number)
        state.withLock { _ = $0.open.removeValue(forKey: number) }
    }

    func expire(_ number: UInt64) {
        let handler = state.withLock { state in
            let handler = state.open[number]
            if handler == nil { state.early.insert(number) }
            return handler
        }
        handler?()
    }
}
