import Synchronization

/// The background sessions that the app was launched for, until it has received all of their events. The launch of the app
/// and `BackgroundTransfers` meet here.
///
/// This module knows nothing of transfers, which need a large library. An app that transfers links `BackgroundTransfers`,
/// which registers itself here as the observer.
package final class SessionEvents: Sendable {
    package static let app = SessionEvents()

    private struct State {
        /// For each session the number of its last launch.
        var owed: [String: UInt64] = [:]
        var launches: UInt64 = 0
        var waiting: [String: [@Sendable () -> Void]] = [:]
        var observer: Observer?
    }
    /// The owner of the sessions, which is `BackgroundTransfers`.
    package struct Observer: Sendable {
        /// Whether there is a session of that name.
        var exists: @Sendable (String) -> Bool
        /// Called after the app was launched for the session.
        var launched: @Sendable (String) -> Void

        package init(
            exists: @escaping @Sendable (String) -> Bool, launched: @escaping @Sendable (String) -> Void
        ) {
            self.exists = exists
            self.launched = launched
        }
    }
    private let state = Mutex(State())

    init() {}

    package func observe(_ observer: Observer) { state.withLock { $0.observer = observer } }

    func exists(_ identifier: String) -> Bool {
        state.withLock { $0.observer }?.exists(identifier) ?? false
    }

    /// The launch for which the app waits for the end of this session's events; nil: it waits for none.
    package func owed(_ identifier: String) -> UInt64? { state.withLock { $0.owed[identifier] } }

    /// All of the session's events have been told.
    package func settle(_ identifier: String) {
        let waiting = state.withLock { state in
            state.owed[identifier] = nil
            return state.waiting.removeValue(forKey: identifier) ?? []
        }
        for call in waiting { call() }
    }

    /// The app was launched for the session, and has been told so: the end of its events is owed to it from now on.
    package func launched(_ identifier: String) {
        let observer = state.withLock { state in
            state.launches += 1
            state.owed[identifier] = state.launches
            return state.observer
        }
        observer?.launched(identifier)
    }

    /// Calls once all of the session's events have been told.
    package func whenSettled(_ identifier: String, _ call: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting[identifier, default: []].append(call) }
    }
}

/// A run that ends when each session that it was launched for is settled.
final class SessionRun: Sendable {
    private struct State {
        var open: Set<String>
        var isRefused = false
    }
    private let state: Mutex<State>
    let events: SessionEvents
    private let complete: @Sendable (Bool) -> Void

    init(_ sessions: [String], events: SessionEvents, complete: @escaping @Sendable (Bool) -> Void) {
        state = Mutex(State(open: Set(sessions)))
        self.events = events
        self.complete = complete
    }

    /// Settles a session; the first call counts. `isRefused`: the app has no such session, and the run fails.
    func settle(_ identifier: String, isRefused: Bool = false) {
        let success = state.withLock { state -> Bool? in
            guard state.open.remove(identifier) != nil else { return nil }
            state.isRefused = state.isRefused || isRefused
            return state.open.isEmpty ? !state.isRefused : nil
        }
        if let success { complete(success) }
    }
}
